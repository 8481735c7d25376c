export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Edits the text of a configuration, and keeps the order of keys and the indentation.
 * @throws if it is not a JSON object
 */
export function editJson(text: string, edit: (config: JsonObject) => JsonObject): string {
  const config = text.trim() === '' ? {} : (JSON.parse(text) as unknown);
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw new TypeError('the file does not contain a JSON object');
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ';
  return `${JSON.stringify(edit(config as JsonObject), undefined, indent)}\n`;
}
