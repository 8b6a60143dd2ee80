// Colours that hold dark text in both themes, and that a name always picks the same.

export const isDark = () => window.matchMedia('(prefers-color-scheme: dark)').matches;

/** The colour for the light theme; in the dark one the same, a little calmer. */
export function hsl(hue, saturation, lightness) {
  return isDark() ? `hsl(${hue} ${saturation * 0.75}% ${lightness * 0.88}%)` : `hsl(${hue} ${saturation}% ${lightness}%)`;
}

/** FNV-1a of a name: the same in each picture and each run. */
export function hash(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; ++i) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  return value >>> 0;
}
