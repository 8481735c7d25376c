import { runCancellable, type CancellableOptions } from '@steward/database';
import { AppError } from '@steward/contracts';
import { findNearWord } from '../../keyword/rules/find-near-word.ts';
import { readQuery, type QueryItem } from '../../keyword/rules/read-query.ts';
import { listVocabulary } from '../../keyword/store/vocabulary.store.ts';
import { rethrowTimeout } from '../../rethrow-timeout.ts';
import { describeAbsence, describeFlag, describeUncovered } from '../rules/describe-empty.ts';
import { quoteFlags } from '../rules/quote-flags.ts';
import type { SearchTask } from '../rules/read-search-task.ts';
import type { CorpusCoverage } from '../search-ports.ts';
import type { AnswerDeps } from './answer-search.ts';

type Deps = Pick<AnswerDeps, 'pools' | 'searchKeywords'>;

/**
 * Maximum time in milliseconds for each lookup or search that precedes a suggestion; if one takes longer, nothing is
 * suggested.
 */
const MOST_MS = 1000;
/** Maximum number of words for which other spellings are looked up. */
const MOST_WORDS = 8;

/**
 * Returns one sentence that explains a result without sessions. If the corpus covers the whole searched window, looks
 * for a variant of the query (flags in quotes, or other spellings from content that the search could have found), and
 * suggests it only if a search for it, with the same filters, has results. This costs a bounded lookup and one more
 * search, or up to three searches for a query with flags; if one of these takes too long, the sentence contains no
 * suggestion.
 */
export async function explainEmpty(
  deps: Deps,
  { input }: SearchTask,
  coverage: CorpusCoverage,
  options: CancellableOptions,
): Promise<string> {
  const uncovered = describeUncovered(coverage, input.filter);
  if (uncovered !== undefined) return uncovered;
  const { items } = readQuery(input.query);
  const asked = items.filter(({ isExcluded }) => !isExcluded);
  const limited = { ...options, timeoutMs: Math.min(MOST_MS, options.timeoutMs) };
  try {
    const quoted = await findQuotedQuery(deps, { input }, limited);
    if (quoted !== undefined) return describeFlag(quoted);
    return describeAbsence({ words: asked.length, near: await findNearQuery(deps, { input }, asked, limited) });
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return describeAbsence({ words: asked.length, near: undefined });
  }
}

/**
 * Returns a variant of the query with quotes if its flags were treated as exclusions and the variant has results;
 * otherwise undefined.
 */
async function findQuotedQuery(
  deps: Pick<Deps, 'searchKeywords'>,
  { input }: Pick<SearchTask, 'input'>,
  options: CancellableOptions,
): Promise<string | undefined> {
  for (const query of quoteFlags(input.query)) if (await hasMatch(deps, { ...input, query }, options)) return query;
  return undefined;
}

async function hasMatch(
  { searchKeywords }: Pick<Deps, 'searchKeywords'>,
  input: SearchTask['input'],
  options: CancellableOptions,
): Promise<boolean> {
  const place = { limit: 1, offset: 0, after: undefined, plan: undefined, asOf: undefined };
  const found = await searchKeywords({ ...input, ...place, maxSnippetsPerSession: 0, explain: false }, options);
  return found.sessions.length > 0;
}

async function findNearQuery(
  { pools, searchKeywords }: Deps,
  { input }: Pick<SearchTask, 'input'>,
  asked: readonly QueryItem[],
  options: CancellableOptions,
): Promise<string | undefined> {
  const words = asked.filter(({ text }) => /^\p{L}{4,}$/u.test(text)).map(({ text }) => text.toLowerCase());
  const initials = [...new Set(words.slice(0, MOST_WORDS).map((word) => word.slice(0, 1)))];
  if (initials.length === 0) return undefined;
  const { accountId, filter } = input;
  const vocabulary = await runCancellable(pools, options, (client) =>
    listVocabulary(client, { accountId, filter, tsquery: '', asOf: undefined }, initials),
  ).catch(rethrowTimeout);
  let query = input.query;
  for (const word of words.slice(0, MOST_WORDS)) {
    const near = findNearWord(word, vocabulary);
    if (near !== undefined)
      query = query.replaceAll(new RegExp(String.raw`(?<![\p{L}\p{N}])${word}(?![\p{L}\p{N}])`, 'giu'), near);
  }
  if (query === input.query) return undefined;
  return (await hasMatch({ searchKeywords }, { ...input, query }, options)) ? query : undefined;
}
