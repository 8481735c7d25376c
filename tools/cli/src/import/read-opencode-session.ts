import type { DatabaseSync } from 'node:sqlite';

/** Reads a session as lines: first the session itself, then each message with its parts, as in `opencode export`. */
export type ReadOpenCodeSession = (sessionId: string) => AsyncGenerator<string, void, undefined>;

interface DataRow {
  readonly id: string;
  readonly data: string;
}

/**
 * Creates a reader that buffers at most one message, and keeps no read transaction of the database open between
 * messages. Statements are prepared once, not for each session.
 */
export function createOpenCodeReader(database: DatabaseSync): ReadOpenCodeSession {
  const findSession = database.prepare(
    'select id, parent_id, directory, title, version, time_created, time_updated from session where id = ?',
  );
  const listMessages = database.prepare('select id from message where session_id = ? order by time_created, id');
  const findMessage = database.prepare('select id, data from message where id = ?');
  const listParts = database.prepare('select id, data from part where message_id = ? order by id');
  return async function* read(sessionId) {
    const session = findSession.get(sessionId);
    if (session === undefined) return;
    const { parent_id: parentID, time_created: created, time_updated: updated, ...info } = session;
    yield JSON.stringify({ info: { ...info, parentID, time: { created, updated } } });
    for (const { id } of listMessages.all(sessionId) as unknown as Pick<DataRow, 'id'>[]) {
      const message = findMessage.get(id) as unknown as DataRow | undefined;
      if (message === undefined) continue;
      const parts = (listParts.all(id) as unknown as DataRow[]).map((part) => readData(part, sessionId));
      yield await Promise.resolve(JSON.stringify({ info: readData(message, sessionId), parts }));
    }
  };
}

/** Returns the data of a row with its ids, which the column does not contain. */
function readData({ id, data }: DataRow, sessionID: string): object {
  try {
    return { ...(JSON.parse(data) as object), id, sessionID };
  } catch {
    return { id, sessionID };
  }
}
