import { readQuery } from '../../keyword/rules/read-query.ts';

/** Matches a flag of a command: one or two dashes, directly followed by a word without quotes. */
const FLAG = /^--?[\p{L}\p{N}][^\s"]*$/u;
const PIECE = /"[^"]*"?|[^\s"]+/gu;

/**
 * Returns up to two variants of a query with flags (`rm -rf`, `kubectl get pods -n payments`): first the whole query in
 * quotes, as one phrase, then the query with each flag in quotes. Without quotes, the flags are treated as exclusions
 * because of the `-`. Returns no variants for a query without such flags.
 */
export function quoteFlags(query: string): string[] {
  const pieces = query.match(PIECE) ?? [];
  const isFlag = (piece: string): boolean => FLAG.test(piece);
  if (!pieces.some(isFlag) || !readQuery(query).items.some(({ isExcluded }) => isExcluded)) return [];
  const whole = `"${pieces.map((piece) => piece.replaceAll('"', '')).join(' ')}"`;
  const single = pieces.map((piece) => (isFlag(piece) ? `"${piece}"` : piece)).join(' ');
  return [...new Set([whole, single])].filter((each) => each !== query);
}
