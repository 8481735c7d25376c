import type { TimeRange } from '../../corpus/store/indexed-window.store.ts';
import type { CorpusCoverage } from '../search-ports.ts';

/**
 * Returns a sentence about the part of the searched window that the corpus does not cover; undefined if the corpus
 * covers the whole window.
 */
export function describeUncovered(coverage: CorpusCoverage, { startDate }: TimeRange): string | undefined {
  const { backfillComplete, indexedFrom, metadataOnlyFrom, metadataOnlyThrough } = coverage;
  if (!backfillComplete && indexedFrom === null) return 'Nothing in this account is indexed yet.';
  if (!backfillComplete && indexedFrom !== null && (startDate === undefined || indexedFrom > startDate))
    return `Content from before ${indexedFrom.toISOString()} is not completely indexed yet: there may be more matching sessions.`;
  if (metadataOnlyFrom === null || metadataOnlyThrough === null) return undefined;
  return `Content from ${metadataOnlyFrom.toISOString()} to ${metadataOnlyThrough.toISOString()} was not captured: only its metadata and titles can match.`;
}

/**
 * Returns the reason why nothing matches in a covered window.
 * @param near - a query that does match
 */
export function describeAbsence({
  words,
  near,
}: {
  readonly words: number;
  readonly near: string | undefined;
}): string {
  if (near !== undefined) return `No session matches; a search for ${JSON.stringify(near)} finds some.`;
  if (words > 1) return 'No content contains all of these words; use fewer words, or "or" between them.';
  return 'No session matches; words are not stemmed, so other forms of them may match.';
}

/**
 * Returns the reason why nothing matches a query whose flags were treated as exclusions.
 * @param quoted - a query that does match
 */
export function describeFlag(quoted: string): string {
  return `No session matches, because "-" before a word excludes the word; in quotes it does not: ${JSON.stringify(quoted)} matches.`;
}
