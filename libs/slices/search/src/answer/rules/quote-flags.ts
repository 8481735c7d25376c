import { readQuery } from '../../keyword/rules/read-query.ts';

/** A word with one dash or two before it, as a command has it: no blank between, and no quote. */
const FLAG = /^--?[\p{L}\p{N}][^\s"]*$/u;
const PIECE = /"[^"]*"?|[^\s"]+/gu;

/**
 * Of a query with flags (`rm -rf`, `kubectl get pods -n payments`), which `-` makes exclusions: the same in quotes, all of it as one
 * text and then flag by flag. Empty for a query without any.
 */
export function quoteFlags(query: string): string[] {
  const pieces = query.match(PIECE) ?? [];
  const isFlag = (piece: string): boolean => FLAG.test(piece);
  if (!pieces.some(isFlag) || !readQuery(query).items.some(({ isExcluded }) => isExcluded)) return [];
  const whole = `"${pieces.map((piece) => piece.replaceAll('"', '')).join(' ')}"`;
  const single = pieces.map((piece) => (isFlag(piece) ? `"${piece}"` : piece)).join(' ');
  return [...new Set([whole, single])].filter((each) => each !== query);
}
