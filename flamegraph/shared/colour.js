// Colours that hold dark text in both themes, and that a name always picks the same.

export const isDark = () => window.matchMedia('(prefers-color-scheme: dark)').matches;

/** The colour for the light theme; in the dark one the same, a little calmer. */
export function hsl(hue, saturation, lightness) {
  return isDark() ? `hsl(${hue} ${saturation * 0.75}% ${lightness * 0.88}%)` : `hsl(${hue} ${saturation}% ${lightness}%)`;
}

/** FNV-1a of a name, mixed once more so that names that differ in a letter differ in all bits. The same in each run. */
export function hash(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; ++i) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  // The last steps of MurmurHash3.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
