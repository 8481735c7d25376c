import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export interface Collection {
  readonly documents: readonly { readonly id: string; readonly text: string }[];
  readonly queries: readonly string[];
  /** Per query, in the order of the queries: document id to gain (0 is not relevant). */
  readonly judgements: readonly ReadonlyMap<string, number>[];
}

/** Reads a collection in the form of Cranfield: cran.all.1400, cran.qry, cranqrel. */
export function readCollection(directory: string): Collection {
  const read = (name: string): string => readFileSync(resolve(directory, name), 'utf8');
  const documents = splitRecords(read('cran.all.1400')).map(({ id, body }) => ({
    id,
    text: body.slice(body.indexOf('\n.W') + 3).trim(),
  }));
  const queries = splitRecords(read('cran.qry')).map(({ body }) =>
    body
      .slice(body.indexOf('.W') + 2)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  const judgements = queries.map(() => new Map<string, number>());
  for (const line of read('cranqrel').split('\n')) {
    const [query, document = '', grade] = line.trim().split(/\s+/).map(String);
    // Queries are counted in their order. The one document of grade -1 is the paper the question was taken from.
    const gain = Math.abs(Number(grade));
    judgements[Number(query) - 1]?.set(document, gain);
  }
  return { documents, queries, judgements };
}

function splitRecords(text: string): { readonly id: string; readonly body: string }[] {
  return text
    .split(/^\.I /m)
    .slice(1)
    .map((record) => {
      const end = record.indexOf('\n');
      return { id: String(Number(record.slice(0, end))), body: record.slice(end) };
    });
}
