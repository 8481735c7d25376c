export type JsonObject = Readonly<Record<string, unknown>>;

/** Keys in their order, indented as the file is. @throws where it is no JSON object */
export function editJson(text: string, edit: (config: JsonObject) => JsonObject): string {
  const config = text.trim() === '' ? {} : (JSON.parse(text) as unknown);
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw new TypeError('it is not an object');
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ';
  return `${JSON.stringify(edit(config as JsonObject), undefined, indent)}\n`;
}
