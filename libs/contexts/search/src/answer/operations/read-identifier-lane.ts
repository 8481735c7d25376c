import { isUuid } from '@steward/crypto';
import { findKeySessions } from '../../keyword/operations/find-key-sessions.ts';
import type { SearchOptions } from '../../keyword/keyword-search.ts';
import { MAX_NAMED, type IdentifierLane } from '../identifier-lane.ts';
import { asksForChunks, fitsFilter } from '../rules/fits-filter.ts';
import type { SearchTask } from '../rules/read-search-task.ts';
import type { IdentifiedSession, SearchPorts } from '../search-ports.ts';

/**
 * Maximum number of sessions found by the id of an API key, which may have stored content in many sessions: as many as
 * the longest page contains.
 */
const MAX_OF_KEY = 50;

type LanePorts = Pick<SearchPorts, 'pools' | 'readSessionHeadings' | 'findSessionsByIdentifier'>;

/**
 * Returns the lane of one page. Later pages requested by cursor continue with the lane of the first page, so that they
 * do not shift.
 */
export async function readIdentifierLane(
  ports: LanePorts,
  task: SearchTask,
  options: SearchOptions,
): Promise<IdentifierLane> {
  const { accountId, limit, offset } = task.input;
  const former = task.cursor ?? task.fusedCursor;
  if (former !== undefined) {
    const { namedIds: ids, namedShown: shown } = former;
    const sessionIds = ids.slice(shown, shown + limit);
    const found = await ports.readSessionHeadings({ accountId, sessionIds });
    const sessions = sessionIds.flatMap((id) => found.get(id) ?? []);
    return { ids, shown, sessions, isWhole: ids.length < MAX_OF_KEY };
  }
  const named = await findNamed(ports, task, options);
  const shown = Math.min(offset, named.length);
  const ids = named.map((session) => session.id);
  return { ids, shown, sessions: named.slice(shown, shown + limit), isWhole: ids.length < MAX_OF_KEY };
}

async function findNamed(ports: LanePorts, task: SearchTask, options: SearchOptions): Promise<IdentifiedSession[]> {
  const { accountId, filter } = task.input;
  const { query: text } = task;
  if (asksForChunks(filter)) return [];
  if (!isUuid(text)) {
    const named = await ports.findSessionsByIdentifier({ accountId, text, limit: MAX_NAMED });
    return named.filter((session) => fitsFilter(session, filter));
  }
  // The id may be that of an API key. In this case, it identifies the sessions in which the key stored content,
  // including sessions that another client opened.
  const sessionIds = await findKeySessions(ports.pools, { accountId, apiKeyId: text, limit: MAX_OF_KEY }, options);
  const named = await ports.findSessionsByIdentifier({ accountId, text, limit: MAX_OF_KEY, sessionIds });
  const ofKey = new Set(sessionIds);
  return named.filter((session) =>
    fitsFilter(ofKey.has(session.id) ? { ...session, apiKeyId: text.toLowerCase() } : session, filter),
  );
}
