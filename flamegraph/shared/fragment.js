// What a page shows, in the fragment of its address, so that a link and the way back lead to it.

/** Returns the fragment as an object of texts. */
export const readFragment = () => Object.fromEntries(new URLSearchParams(window.location.hash.slice(1)));

/** Writes what is not empty. `isStep`: as a step that the browser can go back to. */
export function writeFragment(values, isStep) {
  const hash = new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
  if (hash === window.location.hash.slice(1)) {
    return;
  }
  try {
    window.history[isStep ? 'pushState' : 'replaceState'](null, '', `#${hash}`);
  } catch {
    // A frame without an origin has no history: the page works without it.
  }
}
