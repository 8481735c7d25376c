import { refuse } from '../exit-codes.ts';
import { KINDS } from './kinds.ts';
import type { Document } from './read-documents.ts';
import { listReferences } from './references.ts';

/**
 * Sorts documents so that referenced documents come first, and otherwise in the order of the kinds.
 * @throws refused if documents refer to each other
 */
export function orderDocuments(documents: readonly Document[]): Document[] {
  const byKey = new Map(documents.map((document) => [document.key, document]));
  const ordered: Document[] = [];
  const done = new Set<string>();
  const place = (document: Document, via: readonly string[]): void => {
    if (done.has(document.key)) return;
    if (via.includes(document.key))
      throw refuse(`${document.where}: circular reference: ${[...via, document.key].join(' -> ')}.`);
    for (const key of listReferences(document)) {
      const other = byKey.get(key);
      if (other !== undefined) place(other, [...via, document.key]);
    }
    done.add(document.key);
    ordered.push(document);
  };
  const rank = ({ kind }: Document): number => KINDS.indexOf(kind);
  for (const document of documents.toSorted((one, other) => rank(one) - rank(other))) place(document, []);
  return ordered;
}
