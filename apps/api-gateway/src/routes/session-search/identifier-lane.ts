import {
  findRuntimeSessionsByIdentifier,
  readSessionHeadings,
  type RuntimeSession,
  type SessionHeading,
} from '@steward/slice-gateway';
import type { ChunkFilter } from '@steward/slice-search';
import type { GatewayDeps } from '../../gateway-deps.ts';
import type { SearchTask } from './read-search-request.ts';

/** An identifier names one session; a reference may be shared by a few. */
const MAX_NAMED = 5;

/** The sessions whose identifier the query is. They come before the ranked ones, each once. */
export interface IdentifierLane {
  readonly ids: readonly string[];
  /** How many of them earlier pages have shown. */
  readonly shown: number;
  /** Those this page begins with. */
  readonly sessions: readonly SessionHeading[];
}

/** The lane of one page. Later pages by cursor go on with what the first one found, so that they do not shift. */
export async function readIdentifierLane(deps: Pick<GatewayDeps, 'db'>, task: SearchTask): Promise<IdentifierLane> {
  const { accountId, limit, offset } = task.input;
  if (task.cursor !== undefined) {
    const { namedIds: ids, namedShown: shown } = task.cursor;
    const sessionIds = ids.slice(shown, shown + limit);
    const found = await readSessionHeadings(deps.db, { accountId, sessionIds });
    return { ids, shown, sessions: sessionIds.flatMap((id) => found.get(id) ?? []) };
  }
  const named = await findNamed(deps, task);
  const shown = Math.min(offset, named.length);
  return { ids: named.map((session) => session.id), shown, sessions: named.slice(shown, shown + limit) };
}

async function findNamed(deps: Pick<GatewayDeps, 'db'>, task: SearchTask): Promise<RuntimeSession[]> {
  const { accountId, filter } = task.input;
  if (asksForChunks(filter)) return [];
  const key = { accountId, text: task.query, limit: MAX_NAMED };
  return (await findRuntimeSessionsByIdentifier(deps.db, key)).filter((session) => isWithin(session, filter));
}

/** A filter on chunks says nothing of a session that is found without any. */
function asksForChunks({ sourceKind, modelAlias, providerName, role }: ChunkFilter): boolean {
  return [sourceKind, modelAlias, providerName, role].some((value) => value !== undefined);
}

/** A session pasted by its id is found in the time it was active. */
function isWithin(session: RuntimeSession, filter: ChunkFilter): boolean {
  const { startDate, endDate, sessionId, flowId, apiKeyId, runtimePrincipalId } = filter;
  if (startDate !== undefined && session.lastActivityAt < startDate) return false;
  if (endDate !== undefined && session.startedAt >= endDate) return false;
  const fits = (wanted: string | undefined, value: string | null): boolean =>
    wanted === undefined || wanted.toLowerCase() === value;
  return (
    fits(sessionId, session.id) &&
    fits(flowId, session.flowId) &&
    fits(apiKeyId, session.apiKeyId) &&
    (runtimePrincipalId === undefined || runtimePrincipalId === session.runtimePrincipalId)
  );
}
