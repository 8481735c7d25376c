import { LRUCache } from 'lru-cache';
import { HIDDEN, maskCredentials } from '@steward/masking';

const MOST_SERVERS = 1000;
const MOST_LINES = 200;
const LONGEST_LINE = 2000;
/** Of a line, before it is cut to that. */
const LONGEST_READ = 64 * 1024;
/** A shorter one is a word such as `true` or a number. */
const SHORTEST_SECRET = 6;

/** What programs said last, of each server, without credentials. */
export interface ProgramLogs {
  /** @param secrets - What the program was given beside its arguments: none of it is kept */
  add(serverKey: string, line: string, secrets?: readonly string[]): void;
  read(serverKey: string): readonly string[];
}

export function createProgramLogs(now: () => Date): ProgramLogs {
  const logs = new LRUCache<string, string[]>({ max: MOST_SERVERS });
  return {
    add(key, line, secrets = []) {
      const lines = logs.get(key) ?? [];
      lines.push(`${now().toISOString()} ${hide(line, secrets).slice(0, LONGEST_LINE)}`);
      if (lines.length > MOST_LINES) lines.splice(0, lines.length - MOST_LINES);
      logs.set(key, lines);
    },
    read: (key) => logs.get(key) ?? [],
  };
}

/** Before the line is cut: of a credential that is cut in two nobody sees that it is one. */
function hide(line: string, secrets: readonly string[]): string {
  const known = secrets.filter(({ length }) => length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
  const hidden = known.reduce((text, secret) => text.replaceAll(secret, HIDDEN), line.slice(0, LONGEST_READ));
  return maskCredentials(hidden);
}
