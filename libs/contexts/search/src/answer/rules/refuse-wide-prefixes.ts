import { AppError } from '@steward/contracts';
import { readQuery } from '../../keyword/rules/read-query.ts';

const MOST_PREFIXES = 4;
/**
 * Matches a prefix that is too short: one letter or digit before the `*`, or two at the beginning of a word. Two are
 * sufficient after another part of the word, which narrows the prefix (`node.js*`).
 */
const TOO_SHORT = /(?:(?:^|[^\p{L}\p{N}*])[\p{L}\p{N}]|^[^\p{L}\p{N}*]*[\p{L}\p{N}]{2})\*$/u;

/**
 * Refuses a query with a prefix that matches too many words, or with too many prefixes.
 * @throws invalid_request
 */
export function refuseWidePrefixes(query: string): void {
  const items = readQuery(query).items.filter(({ isPhrase }) => !isPhrase);
  if (items.some(({ text }) => TOO_SHORT.test(text)))
    throw refuse('needs three letters or digits before a "*", or two after another part of the word');
  if (items.filter(({ isPrefix }) => isPrefix).length > MOST_PREFIXES)
    throw refuse(`has more than ${MOST_PREFIXES} words that end in "*"`);
}

function refuse(problem: string): AppError {
  return new AppError('invalid_request', { message: `"query" ${problem}.`, detail: { field: 'query' } });
}
