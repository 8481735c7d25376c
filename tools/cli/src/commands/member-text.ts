/**
 * A member of the outermost object of a JSON text, as it is written there: numbers that are read are others (`1917043659912705297`).
 * The last of that name, as JSON is read; undefined without one.
 * @param json - a JSON object: of any other text the answer means nothing
 */
export function findMemberText(json: string, name: string): string | undefined {
  let found: string | undefined;
  let [depth, key, start, isValue] = [0, '', 0, false];
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at] as string;
    if (sign === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && !isValue) key = json.slice(at, end);
      at = end - 1;
    } else if (sign === '{' || sign === '[') depth += 1;
    else if (depth === 1 && sign === ':' && !isValue) [start, isValue] = [at + 1, true];
    else if (depth === 1 && (sign === ',' || sign === '}')) {
      if (isValue && JSON.parse(key) === name) found = json.slice(start, at).trim();
      isValue = false;
      if (sign === '}') depth -= 1;
    } else if (sign === '}' || sign === ']') depth -= 1;
  }
  return found;
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}
