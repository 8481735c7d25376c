import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import type { FindOpenCodeSessions } from './opencode-sessions.ts';

export interface SessionFile {
  readonly path: string;
  /** Session id for files that contain none; a file of Claude Code is named after its session. */
  readonly sourceId?: string;
  /** True if the user named this file. */
  readonly isAskedFor?: boolean;
  /** True if the entries of the file have no times: once it is no longer written to, its modification time is used. */
  readonly isTimeless?: boolean;
  /** Value that changes with every change, for sources that are not files. */
  readonly state?: string;
  /** Yields the records, for sources that are not files. */
  readonly readRecords?: () => AsyncIterable<string>;
}

/** File extensions of compressed files: Codex compresses rollouts after a week. */
export const PACKED = /\.(?:gz|zst)$/;

interface Place {
  readonly folder: string;
  readonly isSession: (path: string) => boolean;
  readonly isNamed?: boolean;
  readonly isTimeless?: boolean;
}

/** Yields the files to import: those at the given paths or, without paths, those of the known agents. */
export async function* findSessionFiles(
  paths: readonly string[],
  { env, findOpenCode }: { readonly env: CliContext['env']; readonly findOpenCode: FindOpenCodeSessions },
): AsyncGenerator<SessionFile, void, undefined> {
  if (paths.length === 0) {
    for (const place of listPlaces(env)) yield* walk(place);
    yield* findOpenCode(join(env['XDG_DATA_HOME'] ?? join(findHome(env), '.local', 'share'), 'opencode'));
  }
  for (const path of paths) {
    const found = await stat(path).catch((error: unknown) => {
      throw refuse(`${path} cannot be read: ${(error as Error).message}`);
    });
    if (found.isDirectory())
      yield* walk({ folder: resolve(path), isSession: (file) => /\.(jsonl|ndjson|json)$/.test(file) });
    else yield { path: resolve(path), isAskedFor: true };
  }
}

/** Lists the session folders of agents, with the environment variables that change them. */
export function listPlaces(env: CliContext['env']): Place[] {
  const { CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME } = env;
  const home = findHome(env);
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
      // The sessions of subagents are in a folder of their parent session.
      isSession: (path) => /[/\\]chats[/\\](session-[^/\\]*|[^/\\]+[/\\][^/\\]+)\.jsonl?$/.test(path),
    },
    {
      folder: join(home, '.cursor', 'projects'),
      isSession: (path) => /[/\\]agent-transcripts[/\\].*\.jsonl$/.test(path),
      isNamed: true,
      isTimeless: true,
    },
  ];
}

function findHome({ HOME }: CliContext['env']): string {
  return HOME ?? homedir();
}

/** Yields the session files of a location, sorted by name; nothing for a missing or unreadable folder. */
async function* walk(place: Place): AsyncGenerator<SessionFile, void, undefined> {
  const { folder, isSession, isNamed = false, isTimeless = false } = place;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk({ ...place, folder: path });
    else if (entry.isFile() && isSession(path.replace(PACKED, ''))) {
      yield {
        path,
        isTimeless,
        ...(isNamed ? { sourceId: entry.name.replace(PACKED, '').replace(/\.jsonl$/, '') } : {}),
      };
    }
  }
}
