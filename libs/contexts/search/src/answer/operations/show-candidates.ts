import { runCancellable, type CancellableOptions } from '@steward/database';
import { buildSnippet, createTermMatcher } from '../../keyword/rules/build-snippet.ts';
import type { Snippet } from '../../keyword/keyword-search.ts';
import type { Candidate } from '../../semantic/candidate.ts';
import { mergeChunks } from '../../semantic/rules/merge-chunks.ts';
import type { NearestChunk } from '../../vectors/nearest-chunk.ts';
import { rethrowTimeout } from '../../rethrow-timeout.ts';
import { normaliseAccents } from '../../words/fold-text.ts';
import type { IdentifierLane } from '../identifier-lane.ts';
import { explainFusion } from '../rules/explain-fusion.ts';
import { maskTitle } from '../rules/mask-title.ts';
import type { SearchTask } from '../rules/read-search-task.ts';
import type { HalfReason, ResultSnippet, SearchResult } from '../search-answer.ts';
import { findExcerpts, type ExcerptRow } from '../store/excerpt.store.ts';
import type { AnswerDeps } from './answer-search.ts';
import type { FoundLists } from './find-by-both.ts';

export interface ShownPage {
  readonly task: SearchTask;
  readonly lane: IdentifierLane;
  readonly ranked: readonly Candidate[];
  /** Candidates, including those that are not shown, since an identified session may be among them. */
  readonly candidates: readonly Candidate[];
  readonly lists: FoundLists;
}

/**
 * Returns the items of a page: identified sessions first, then the ranked ones, each with the best chunks of both
 * halves.
 */
export async function showCandidates(
  deps: Pick<AnswerDeps, 'pools' | 'readSessionHeadings' | 'fusion'>,
  page: ShownPage,
  options: CancellableOptions,
): Promise<SearchResult[]> {
  const { task, lane, ranked, candidates, lists } = page;
  const { accountId, explain } = task.input;
  const byId = new Map(candidates.map((candidate) => [candidate.sessionId, candidate]));
  const shownIds = [...lane.sessions.map(({ id }) => id), ...ranked.map(({ sessionId }) => sessionId)];
  const [sessions, snippetsOf] = await Promise.all([
    deps.readSessionHeadings({ accountId, sessionIds: ranked.map(({ sessionId }) => sessionId) }),
    readSnippets(deps, page, shownIds, options),
  ]);
  const show = (sessionId: string, candidate: Candidate | undefined) => ({
    match: candidate,
    keywordScore: candidate?.keyword?.score ?? null,
    similarity: candidate?.semantic?.similarity ?? null,
    snippets: snippetsOf.get(sessionId) ?? [],
    explanation: explain === true ? explainFusion(candidate, lists.words, deps.fusion) : undefined,
  });
  const score = Math.max(1, ranked[0]?.score ?? 0);
  const first = lane.sessions.map((session): SearchResult => ({
    session: maskTitle(session),
    score,
    matchReason: 'identifier',
    ...show(session.id, byId.get(session.id)),
  }));
  const rest = ranked.flatMap((candidate): SearchResult[] => {
    const session = sessions.get(candidate.sessionId);
    if (session === undefined) return [];
    const matchReason = nameReason(candidate.keyword !== undefined, candidate.semantic !== undefined);
    return [{ session: maskTitle(session), score: candidate.score, matchReason, ...show(session.id, candidate) }];
  });
  return [...first, ...rest];
}

function nameReason(byWords: boolean, byMeaning: boolean): HalfReason {
  return byWords && byMeaning ? 'both' : byWords ? 'keyword' : 'semantic';
}

/** Returns the chunks shown for each session, read in one statement. */
async function readSnippets(
  { pools }: Pick<AnswerDeps, 'pools'>,
  { task, candidates, lists: { words, meaning } }: ShownPage,
  shownIds: readonly string[],
  options: CancellableOptions,
): Promise<ReadonlyMap<string, readonly ResultSnippet[]>> {
  const { accountId, maxSnippetsPerSession: most, includeSnippetText: includeText } = task.input;
  const byWords = Map.groupBy(words?.snippets ?? [], ({ sessionId }) => sessionId);
  const byMeaning = new Map(meaning?.matches.map(({ sessionId, chunks }) => [sessionId, chunks]));
  const ranks = new Map(candidates.map((candidate) => [candidate.sessionId, candidate]));
  const chosen = new Map(
    shownIds.map((sessionId) => {
      const { keyword, semantic } = ranks.get(sessionId) ?? {};
      const lists = [
        (byWords.get(sessionId) ?? []).map(({ documentId }) => documentId),
        (byMeaning.get(sessionId) ?? []).map(({ chunkId }) => chunkId),
      ] as const;
      const isNearer = (semantic?.share.rank ?? Infinity) < (keyword?.share.rank ?? Infinity);
      return [sessionId, isNearer ? mergeChunks(lists[1], lists[0], most) : mergeChunks(lists[0], lists[1], most)];
    }),
  );
  const chunkIds = [...chosen.values()].flat();
  if (chunkIds.length === 0) return new Map();
  const found = await runCancellable(pools, options, (client) =>
    findExcerpts(client, { accountId, chunkIds, includeText }),
  ).catch(rethrowTimeout);
  const matcher = createTermMatcher(words?.shown ?? (task.meaning?.text ?? '').split(' '));
  const ofWords = new Map(words?.snippets.map((snippet) => [snippet.documentId, snippet]));
  const ofMeaning = new Map([...byMeaning.values()].flat().map((chunk) => [chunk.chunkId, chunk]));
  return new Map(
    [...chosen].map(([sessionId, ids]) => [
      sessionId,
      ids.flatMap((id) => {
        const row = found.get(id);
        return row === undefined ? [] : [presentExcerpt(row, ofWords.get(id), ofMeaning.get(id), matcher)];
      }),
    ]),
  );
}

/**
 * Returns an excerpt of a chunk. Matching words are marked; if a chunk was found only by meaning, the excerpt is taken
 * from the place where most of the query's words occur, and nothing is marked.
 */
function presentExcerpt(
  { content, ...row }: ExcerptRow,
  words: Snippet | undefined,
  meaning: NearestChunk | undefined,
  matcher: RegExp | undefined,
): ResultSnippet {
  return {
    ...row,
    rank: words?.rank ?? meaning?.similarity ?? 0,
    termRanks: words?.termRanks ?? [],
    html: content === null ? null : buildSnippet(normaliseAccents(content), matcher, { isMarked: words !== undefined }),
    matchReason: nameReason(words !== undefined, meaning !== undefined),
    similarity: meaning?.similarity ?? null,
  };
}
