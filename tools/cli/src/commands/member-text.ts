/** Matches whole strings, and the punctuation between values, in JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;

/**
 * Returns a member of the outermost object of JSON in its original notation: a number would change when parsed
 * (`1917043659912705297`). If there are several of that name, returns the last one, as a JSON parser does; undefined if
 * there is none.
 * @param json - JSON object: for any other string the result is meaningless
 */
export function findMemberText(json: string, name: string): string | undefined {
  let found: string | undefined;
  let [depth, key, start] = [0, '""', -1];
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    const isOpening = token === '{' || token === '[';
    const isClosing = token === '}' || token === ']';
    if (depth === 1 && start === -1) {
      if (token.startsWith('"')) key = token;
      else if (token === ':') start = index + 1;
    } else if (depth === 1 && (token === ',' || isClosing)) {
      if (JSON.parse(key) === name) found = json.slice(start, index).trim();
      start = -1;
    }
    depth += Number(isOpening) - Number(isClosing);
  }
  return found;
}
