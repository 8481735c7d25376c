import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';

export interface SessionFile {
  readonly path: string;
  /** The session of what names none; a file of Claude Code has its session's name. */
  readonly sourceId?: string;
}

interface Place {
  readonly folder: string;
  readonly isSession: (path: string) => boolean;
  readonly isNamed?: boolean;
}

/** The files to import, one after another: those of the given paths, else those of the agents that are known here. */
export async function* findSessionFiles(
  paths: readonly string[],
  env: CliContext['env'],
): AsyncGenerator<SessionFile, void, undefined> {
  for (const place of paths.length === 0 ? listPlaces(env) : []) yield* walk(place);
  for (const path of paths) {
    const found = await stat(path).catch((error: unknown) => {
      throw refuse(`${path} cannot be read: ${(error as Error).message}`);
    });
    if (found.isDirectory())
      yield* walk({ folder: resolve(path), isSession: (file) => /\.(jsonl|ndjson|json)$/.test(file) });
    else yield { path: resolve(path) };
  }
}

/** Where agents keep their sessions, with the variables by which they are told other places. */
export function listPlaces({ HOME, CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME }: CliContext['env']): Place[] {
  const home = HOME ?? homedir();
  const codex = CODEX_HOME ?? join(home, '.codex');
  const isRollout = (path: string): boolean => /rollout-[^/\\]*\.jsonl$/.test(path);
  return [
    {
      folder: join(CLAUDE_CONFIG_DIR ?? join(home, '.claude'), 'projects'),
      isSession: (path) => path.endsWith('.jsonl'),
      isNamed: true,
    },
    { folder: join(codex, 'sessions'), isSession: isRollout },
    { folder: join(codex, 'archived_sessions'), isSession: isRollout },
    {
      folder: join(GEMINI_CLI_HOME ?? home, '.gemini', 'tmp'),
      isSession: (path) => /[/\\]chats[/\\]session-[^/\\]*\.jsonl?$/.test(path),
    },
  ];
}

/** Names in their order; a folder that is gone or closed has none. */
async function* walk({ folder, isSession, isNamed = false }: Place): AsyncGenerator<SessionFile, void, undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk({ folder: path, isSession, isNamed });
    else if (entry.isFile() && isSession(path)) {
      yield { path, ...(isNamed ? { sourceId: entry.name.replace(/\.jsonl$/, '') } : {}) };
    }
  }
}
