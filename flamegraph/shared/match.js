// Whether a name is what the user looks for.

/** Returns a function that says whether a name matches, null for an empty search. A bad expression is a SyntaxError. */
export function makeMatcher(text, isRegex) {
  if (text === '') {
    return null;
  }
  if (isRegex) {
    const expression = new RegExp(text, 'i');
    return (name) => expression.test(name);
  }
  const lower = text.toLowerCase();
  return (name) => name.toLowerCase().includes(lower);
}
