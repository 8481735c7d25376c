import type { CancellableOptions } from '@steward/database';
import type { DegradedReason, SearchMode } from '@steward/contracts';
import type { KeywordSearchPage } from '../../keyword/keyword-search.ts';
import type { Candidate } from '../../semantic/candidate.ts';
import { findByMeaning } from '../../semantic/operations/find-by-meaning.ts';
import type { Meaning } from '../../semantic/rules/read-meaning.ts';
import { fuseSessions, rankBySimilarity, rankByWords } from '../../semantic/rules/fuse-sessions.ts';
import type { FoundHalf, MissingHalf, SemanticTerms } from '../../semantic/semantic-half.ts';
import type { FoundPage } from '../found-page.ts';
import type { IdentifierLane } from '../identifier-lane.ts';
import { countNeeded } from '../rules/count-needed.ts';
import { fillFusedPage } from '../rules/fill-fused-page.ts';
import { encodeFusedCursor, type FusedCursor } from '../rules/fused-cursor.ts';
import type { SearchTask } from '../rules/read-search-task.ts';
import type { AnswerDeps } from './answer-search.ts';
import { readIdentifierLane } from './read-identifier-lane.ts';
import { showCandidates } from './show-candidates.ts';

export interface BothSearch {
  readonly task: SearchTask & { readonly meaning: Meaning };
  readonly terms: SemanticTerms;
  readonly requestId: string;
}

/** The lists from which a page is built. */
export interface FoundLists {
  /** Page of the keyword search; undefined if keywords were not searched. */
  readonly words: KeywordSearchPage | undefined;
  readonly meaning: FoundHalf | undefined;
}

/**
 * Returns a page from both halves, or only from the semantic one (mode `semantic`). If the semantic half is missing on
 * the first page, the outcome is `missing`, and the caller searches only keywords. If it is missing on a later page,
 * the page continues with keyword results.
 */
export async function findByBoth(
  deps: AnswerDeps,
  search: BothSearch,
  options: CancellableOptions,
): Promise<{ readonly kind: 'found'; readonly page: FoundPage } | MissingHalf> {
  const found = await findLists(deps, search, options);
  if (found.kind === 'missing') return found;
  const { task } = search;
  const { input, mode } = task;
  const { lane, lists } = found;
  const candidates = listCandidates(lists, deps);
  const page = fillFusedPage(task, lane, candidates);
  const isCut = isListCut(lists, deps);
  const nextCursor = page.hasMore
    ? encodeFusedCursor({ ...input, mode }, placeCursor(search, found, page.shown))
    : null;
  const results = await showCandidates(deps, { task, lane, ranked: page.ranked, candidates, lists }, options);
  return {
    kind: 'found',
    page: {
      effectiveMode: nameEffectiveMode(lists),
      results,
      total: page.total,
      totalIsExact: !isCut && lane.isWhole,
      nextCursor,
      reasons: [
        ...found.reasons,
        // This reason means that there may be more results than can be shown: it is reported only on the last page.
        ...(isCut && !page.hasMore ? (['fusion_candidates_truncated'] as const) : []),
      ],
    },
  };
}

interface Found {
  readonly kind: 'found';
  readonly lane: IdentifierLane;
  readonly lists: FoundLists;
  /** Reasons why the semantic half is missing. */
  readonly reasons: readonly DegradedReason[];
}

async function findLists(
  deps: AnswerDeps,
  search: BothSearch,
  options: CancellableOptions,
): Promise<Found | MissingHalf> {
  const { task } = search;
  const startedAt = performance.now();
  const [lane, words, half] = await Promise.all([
    readIdentifierLane(deps, task, options),
    task.mode === 'hybrid' ? searchWords(deps, task, options) : undefined,
    searchMeaning(deps, search, options),
  ]);
  if (half.kind === 'found') return { kind: 'found', lane, lists: { words, meaning: half }, reasons: [] };
  if (task.fusedCursor === undefined) return half;
  const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - startedAt));
  const lists = { words: words ?? (await searchWords(deps, task, { ...options, timeoutMs })), meaning: undefined };
  return { kind: 'found', lane, lists, reasons: half.reasons };
}

/** Returns the start of the next page, which shows the corpus as of the same time as this page. */
function placeCursor({ task, terms }: BothSearch, { lane, lists }: Found, shown: readonly string[]): FusedCursor {
  const { fusedCursor } = task;
  const now = lists.words?.asOf ?? (terms.kind === 'ready' ? terms.databaseNow : undefined);
  return {
    asOf: fusedCursor?.asOf ?? now ?? new Date(),
    plan: lists.words?.plan ?? fusedCursor?.plan,
    shown,
    namedIds: lane.ids,
    namedShown: lane.shown + lane.sessions.length,
  };
}

/** Searches keywords down to the depth of the fusion, without reading text: text is read only for the page. */
function searchWords(
  { searchKeywords, fusion: { depth } }: AnswerDeps,
  task: SearchTask,
  options: CancellableOptions,
): Promise<KeywordSearchPage> {
  const { input, fusedCursor } = task;
  const place = { offset: 0, asOf: fusedCursor?.asOf, plan: fusedCursor?.plan };
  const size = { limit: depth, enough: countNeeded(task, depth) };
  return searchKeywords({ ...input, ...place, ...size, includeSnippetText: false }, options);
}

/** Runs the semantic half. Half of the time is reserved for the keyword search, in case the semantic half fails. */
function searchMeaning(
  deps: AnswerDeps,
  { task, terms, requestId }: BothSearch,
  options: CancellableOptions,
): Promise<FoundHalf | MissingHalf> {
  if (terms.kind === 'missing') return Promise.resolve(terms);
  const { input, meaning, fusedCursor } = task;
  const { accountId, filter } = input;
  const enough = countNeeded(task, deps.fusion.depth);
  const search = { accountId, requestId, filter, terms, meaning, enough, asOf: fusedCursor?.asOf };
  return findByMeaning(deps, search, { ...options, timeoutMs: options.timeoutMs / 2 });
}

function listCandidates({ words, meaning }: FoundLists, { fusion }: AnswerDeps): Candidate[] {
  const keyword = words?.sessions.slice(0, fusion.depth);
  if (meaning === undefined) return rankByWords(keyword ?? []);
  const semantic = meaning.matches.slice(0, fusion.depth);
  return keyword === undefined ? rankBySimilarity(semantic) : fuseSessions({ keyword, semantic }, fusion);
}

/** Returns whether either half may have more results than were read. */
function isListCut({ words, meaning }: FoundLists, { fusion: { depth } }: AnswerDeps): boolean {
  const isWordsCut = words !== undefined && (words.sessions.length > depth || !words.totalIsExact);
  return isWordsCut || (meaning !== undefined && (meaning.isCut || meaning.matches.length > depth));
}

function nameEffectiveMode({ words, meaning }: FoundLists): SearchMode {
  if (meaning === undefined) return 'keyword';
  return words === undefined ? 'semantic' : 'hybrid';
}
