import { parseOptions, valued } from '../../src/options/parse-options.ts';
import { readSize } from '../../src/options/read-numbers.ts';

export interface ImportBenchOptions {
  readonly sessions: number;
}

const HELP = `npm run bench -- import [options]

Writes session files of Claude Code, Codex, Gemini CLI, OpenCode and Cursor to their usual folders and imports them with "steward
sessions import --watch", which is killed and restarted five times while files are added and grow. Then compares the stored sessions with
the files, entry by entry, and checks the memory of the command line. Starts its own servers. Exits 1 if an entry is missing or
duplicated, or if memory exceeds its target.

  --sessions N     number of files, one session each (1k)`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): ImportBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: { sessions: valued('1k') },
    read: (values) => ({ sessions: readSize('sessions', values.sessions, 30) }),
  });
}
