import { LRUCache } from 'lru-cache';
import { HIDDEN, maskCredentials } from '@steward/masking';

const MOST_SERVERS = 1000;
const MOST_LINES = 200;
const LONGEST_LINE = 2000;
/** Number of characters of a line that are searched for credentials; the rest of the line is dropped. */
const LONGEST_READ = 64 * 1024;
/** Minimum length of a value that is masked: shorter values are often ordinary words, such as `true`, or numbers. */
const SHORTEST_SECRET = 6;

/** Recent output of the programs, per server, without credentials. */
export interface ProgramLogs {
  /**
   * Adds a line.
   * @param secrets - secrets of the program, which are removed in addition to recognizable credentials
   */
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

/** Removes credentials from a line, before the line is truncated: part of a credential would not be recognized. */
function hide(line: string, secrets: readonly string[]): string {
  const known = secrets.filter(({ length }) => length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
  const hidden = known.reduce((text, secret) => text.replaceAll(secret, HIDDEN), line.slice(0, LONGEST_READ));
  return maskCredentials(hidden);
}
