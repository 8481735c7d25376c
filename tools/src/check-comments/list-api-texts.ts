/** Summary or description in the OpenAPI document, and its location. */
export interface ApiText {
  readonly place: string;
  readonly text: string;
  /** True for the summary of an operation that clients call. */
  readonly isSummary: boolean;
}

/** Keys whose values are data of callers, not text of the document. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

/** Lists the texts of an OpenAPI document. A property that is called `description` is not a text. */
export function listApiTexts(document: object): ApiText[] {
  const texts: ApiText[] = [];
  const walk = (value: unknown, path: readonly string[]): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [key, part] of Object.entries(value)) {
      if (DATA.has(key) && path.at(-1) !== 'properties') continue;
      if (typeof part === 'string' && (key === 'summary' || key === 'description'))
        texts.push({ place: path.join('/'), text: part, isSummary: key === 'summary' && path[0] === 'paths' });
      walk(part, [...path, key]);
    }
  };
  walk(document, []);
  return texts;
}
