import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { SessionFile } from './find-session-files.ts';

/** Node before 22.13 has no SQLite; the command runs without it. */
async function openDatabase(path: string): Promise<DatabaseSync | undefined> {
  const { emitWarning } = process;
  // What is experimental about it is not for whoever imports sessions.
  process.emitWarning = () => undefined;
  try {
    const { DatabaseSync: Database } = await import('node:sqlite');
    const database = new Database(path, { readOnly: true });
    database.exec('pragma busy_timeout = 5000');
    return database;
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

interface SessionRow {
  readonly id: string;
  readonly state: string;
}

/** What changes when a session does: a part, a message or its title. */
const LIST = `
  select s.id, s.time_updated || ':' || coalesce(m.state, '') || ':' || coalesce(p.state, '') as state
  from session s
  left join (select session_id, count(*) || ':' || max(time_updated) as state from message group by session_id) m
    on m.session_id = s.id
  left join (select session_id, count(*) || ':' || max(time_updated) as state from part group by session_id) p
    on p.session_id = s.id
  order by s.time_created, s.id`;

/** The sessions in the databases of OpenCode (`opencode*.db` in the folder), each as a file of its own. */
export async function* findOpenCodeSessions(
  folder: string,
  note: (text: string) => void,
): AsyncGenerator<SessionFile, void, undefined> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((each) => /^opencode[^/\\]*\.db$/.test(each)).sort()) {
    const path = join(folder, name);
    const rows = await listSessions(path);
    if (rows === undefined) {
      note(`${path} cannot be read: it wants Node 22.13 or newer, and a database of OpenCode 1`);
      continue;
    }
    for (const { id, state } of rows) yield { path: `${path}#${id}`, state, readRecords: () => readSession(path, id) };
  }
}

async function listSessions(path: string): Promise<SessionRow[] | undefined> {
  const database = await openDatabase(path);
  try {
    return database?.prepare(LIST).all() as SessionRow[] | undefined;
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}

interface DataRow {
  readonly id: string;
  readonly data: string;
}

/** As lines: the session, then each message with its parts, as `opencode export` has them. No more is held than a message. */
async function* readSession(path: string, sessionId: string): AsyncGenerator<string, void, undefined> {
  const database = await openDatabase(path);
  if (database === undefined) throw new Error(`${path} is gone`);
  try {
    const session = database
      .prepare('select id, parent_id, directory, title, version, time_created, time_updated from session where id = ?')
      .get(sessionId);
    if (session === undefined) return;
    const { parent_id: parentID, time_created: created, time_updated: updated, ...info } = session;
    yield JSON.stringify({ info: { ...info, parentID, time: { created, updated } } });
    const listMessages = database.prepare(
      'select id, data from message where session_id = ? order by time_created, id',
    );
    const listParts = database.prepare('select id, data from part where message_id = ? order by id');
    for (const message of listMessages.iterate(sessionId) as Iterable<DataRow>) {
      const parts = (listParts.all(message.id) as unknown as DataRow[]).map((part) => readData(part, sessionId));
      yield JSON.stringify({ info: readData(message, sessionId), parts });
    }
  } finally {
    database.close();
  }
}

/** The column has all but the ids. */
function readData({ id, data }: DataRow, sessionID: string): object {
  try {
    return { ...(JSON.parse(data) as object), id, sessionID };
  } catch {
    return { id, sessionID };
  }
}
