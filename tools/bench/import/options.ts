import { parseOptions, valued } from '../../src/options/parse-options.ts';
import { readSize } from '../../src/options/read-numbers.ts';

export interface ImportBenchOptions {
  readonly sessions: number;
}

const HELP = `npm run bench -- import [options]

Sessions of Claude Code, Codex, Gemini CLI, OpenCode and Cursor where these keep them, sent by "steward sessions import --watch", which is killed and
started again five times on its way, while files are added and grow. Then compares the sessions of the service with the files, entry by
entry, and the memory of the command line. On servers of its own. Exits 1 when something is missing, or there twice, or memory is
above its target.

  --sessions N     files, a session each (1k)`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): ImportBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: { sessions: valued('1k') },
    read: (values) => ({ sessions: readSize('sessions', values.sessions, 30) }),
  });
}
