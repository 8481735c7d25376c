import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { SessionFile } from './find-session-files.ts';
import { createOpenCodeReader, type ReadOpenCodeSession } from './read-opencode-session.ts';

/**
 * Finds the sessions in the databases of OpenCode (`opencode*.db` in the folder), and treats each session as a separate
 * file.
 */
export type FindOpenCodeSessions = (folder: string) => AsyncGenerator<SessionFile, void, undefined>;

interface Store {
  /** State of the database and of its write-ahead log. */
  readonly stamp: string;
  readonly rows: readonly SessionRow[];
  /** Opened database; undefined if it cannot be read. */
  readonly opened: Opened | undefined;
}

/** Opened database. It stays open, because opening it for each session took 60 MB. */
interface Opened {
  readonly database: DatabaseSync;
  readonly read: ReadOpenCodeSession;
}

interface SessionRow {
  readonly id: string;
  readonly state: string;
}

/** Creates a finder. A round over unchanged databases does not read their content. */
export function createOpenCodeFinder(note: (text: string) => void): FindOpenCodeSessions {
  const stores = new Map<string, Store>();

  async function open(path: string): Promise<Store> {
    const known = stores.get(path);
    const stamp = [await readStamp(path), await readStamp(`${path}-wal`)].join(' ');
    if (known?.stamp === stamp) return known;
    known?.opened?.database.close();
    const store = { stamp, ...(await listSessions(path)) };
    stores.set(path, store);
    if (store.opened === undefined)
      note(`${path} cannot be read: reading requires Node 22.13 or newer, and a database of OpenCode 1`);
    return store;
  }

  return async function* find(folder) {
    const names = await readdir(folder).catch((): string[] => []);
    for (const name of names.filter((each) => /^opencode[^/\\]*\.db$/.test(each)).sort()) {
      const path = join(folder, name);
      const { rows, opened } = await open(path);
      if (opened === undefined) continue;
      for (const { id, state } of rows) yield { path: `${path}#${id}`, state, readRecords: () => opened.read(id) };
    }
  };
}

async function readStamp(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found === undefined ? '' : [found.ino, found.size, found.mtimeNs].join(':');
}

/**
 * Query for values that change with a session: those of its messages and its title, and the number of parts. A growing
 * part belongs to an unfinished message, which changes when it is complete. Parts are counted using only their index.
 */
const LIST = `
  select s.id, s.time_updated || ':' || coalesce(m.state, '') || ':' || coalesce(p.state, '') as state
  from session s
  left join (select session_id, count(*) || ':' || max(time_updated) as state from message group by session_id) m
    on m.session_id = s.id
  left join (select session_id, count(*) as state from part group by session_id) p on p.session_id = s.id
  order by s.time_created, s.id`;

async function listSessions(path: string): Promise<Pick<Store, 'rows' | 'opened'>> {
  let database: DatabaseSync | undefined;
  try {
    database = await openDatabase(path);
    const rows = database.prepare(LIST).all() as unknown as SessionRow[];
    return { rows, opened: { database, read: createOpenCodeReader(database) } };
  } catch {
    database?.close();
    return { rows: [], opened: undefined };
  }
}

/**
 * Opens a database for reading.
 * @throws Error before Node 22.13, which has no SQLite; the rest of the command works without it
 */
async function openDatabase(path: string): Promise<DatabaseSync> {
  const { emitWarning } = process;
  // The warning about an experimental feature is irrelevant to the user.
  process.emitWarning = () => undefined;
  try {
    const { DatabaseSync: Database } = await import('node:sqlite');
    const database = new Database(path, { readOnly: true });
    database.exec('pragma busy_timeout = 5000');
    return database;
  } finally {
    process.emitWarning = emitWarning;
  }
}
