import { AppError } from '@steward/contracts';
import { runCancellable } from '@steward/database';
import { buildSnippet } from '../../keyword/rules/build-snippet.ts';
import { findPresentSpace } from '../../vectors/operations/find-present-space.ts';
import { findSimilarSessions } from '../../vectors/operations/find-similar-sessions.ts';
import { rethrowTimeout } from '../../rethrow-timeout.ts';
import { describeDegraded } from '../rules/describe-degraded.ts';
import { maskTitle } from '../rules/mask-title.ts';
import type { Degraded } from '../search-answer.ts';
import type { SearchedSession, SearchPorts } from '../search-ports.ts';
import { findExcerpts, type ExcerptRow } from '../store/excerpt.store.ts';

export interface SimilarRequest {
  readonly accountId: string;
  readonly sessionId: string;
  readonly limit: number;
  /** Time after which a returned session must have content; undefined for no limit. */
  readonly since: Date | undefined;
}

export interface Excerpt extends Omit<ExcerptRow, 'content' | 'sessionId'> {
  /** Text of the excerpt, escaped for HTML; it contains no markup. */
  readonly html: string;
  readonly similarity: number;
}

export interface SimilarSession {
  /** The similar session, with credentials masked in its title. */
  readonly session: SearchedSession;
  readonly similarity: number;
  readonly excerpts: readonly Excerpt[];
}

export interface SimilarAnswer {
  readonly items: readonly SimilarSession[];
  readonly degraded: Degraded;
}

export type SimilarPorts = Pick<SearchPorts, 'db' | 'pools' | 'timeoutMs' | 'embeddingEnabled' | 'readSessionHeadings'>;

const EXCERPTS_PER_SESSION = 3;

/**
 * Returns sessions similar to a session, using existing vectors, so no provider is called.
 * @throws AppError `not_found`, `search_timeout`
 */
export async function answerSimilar(
  ports: SimilarPorts,
  { accountId, limit, sessionId, since }: SimilarRequest,
  signal: AbortSignal,
): Promise<SimilarAnswer> {
  const own = await ports.readSessionHeadings({ accountId, sessionIds: [sessionId] });
  if (!own.has(sessionId)) throw new AppError('not_found');
  const present = await findPresentSpace(ports, accountId);
  if (present.kind === 'none') return { items: [], degraded: describeDegraded([present.reason]) };
  const options = { timeoutMs: ports.timeoutMs, signal };
  const found = await findSimilarSessions(
    ports.pools,
    {
      space: present.space,
      sessionId,
      filter: { startDate: since },
      limit,
      chunksPerSession: EXCERPTS_PER_SESSION,
    },
    options,
  );
  if (found.kind === 'not_embedded') return { items: [], degraded: describeDegraded(['semantic_backfill_incomplete']) };
  const chunkIds = found.sessions.flatMap(({ chunks }) => chunks.map(({ chunkId }) => chunkId));
  const [sessions, excerpts] = await Promise.all([
    ports.readSessionHeadings({ accountId, sessionIds: found.sessions.map((each) => each.sessionId) }),
    runCancellable(ports.pools, options, (client) =>
      findExcerpts(client, { accountId, chunkIds, includeText: true }),
    ).catch(rethrowTimeout),
  ]);
  const items = found.sessions.flatMap(({ sessionId: id, similarity, chunks }): SimilarSession[] => {
    const session = sessions.get(id);
    if (session === undefined) return [];
    return [{ session: maskTitle(session), similarity, excerpts: chunks.flatMap((chunk) => show(excerpts, chunk)) }];
  });
  return { items, degraded: describeDegraded([]) };
}

function show(
  excerpts: ReadonlyMap<string, ExcerptRow>,
  { chunkId, similarity }: { readonly chunkId: string; readonly similarity: number },
): Excerpt[] {
  const row = excerpts.get(chunkId);
  if (row === undefined) return [];
  const { content, sessionId: _session, ...excerpt } = row;
  return [{ ...excerpt, similarity, html: buildSnippet(content ?? '', undefined) }];
}
