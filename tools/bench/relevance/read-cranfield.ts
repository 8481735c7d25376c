import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Collection } from './collection.ts';

/** Reads a collection in the Cranfield format: cran.all.1400, cran.qry, cranqrel. */
export function readCranfield(directory: string): Collection {
  const read = (name: string): string => readFileSync(resolve(directory, name), 'utf8');
  const documents = splitRecords(read('cran.all.1400')).map(({ id, body }) => {
    const text = body.slice(body.indexOf('\n.W') + 3).trim();
    return { id, parts: [{ sourceKind: 'transcript_message' as const, role: 'user', text }] };
  });
  const judgements = readJudgements(read('cranqrel'));
  const queries = splitRecords(read('cran.qry')).map(({ body }, place) => ({
    text: body
      .slice(body.indexOf('.W') + 2)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    queryClass: 'question',
    // Queries are numbered by their position.
    gains: judgements.get(place + 1) ?? new Map<string, number>(),
    excluded: new Set<string>(),
  }));
  return { name: 'Cranfield', documents, queries };
}

function readJudgements(text: string): Map<number, Map<string, number>> {
  const judgements = new Map<number, Map<string, number>>();
  for (const line of text.split('\n')) {
    const [query, document = '', grade] = line.trim().split(/\s+/).map(String);
    const gains = judgements.get(Number(query)) ?? new Map<string, number>();
    // The one document with grade -1 is the paper from which the question was taken.
    judgements.set(Number(query), gains.set(document, Math.abs(Number(grade))));
  }
  return judgements;
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
