/** Strings whole, and the signs between values. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;

/**
 * A member of the outermost object of a JSON text, as it is written there: numbers that are read are others (`1917043659912705297`).
 * The last of that name, as JSON is read; undefined without one.
 * @param json - a JSON object: of any other text the answer means nothing
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
