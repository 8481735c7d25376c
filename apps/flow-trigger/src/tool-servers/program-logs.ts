import { LRUCache } from 'lru-cache';
import { maskCredentials } from '@steward/masking';

const MOST_SERVERS = 1000;
const MOST_LINES = 200;
const LONGEST_LINE = 2000;

/** What programs said last, of each server, without credentials. */
export interface ProgramLogs {
  add(serverKey: string, line: string): void;
  read(serverKey: string): readonly string[];
}

export function createProgramLogs(now: () => Date): ProgramLogs {
  const logs = new LRUCache<string, string[]>({ max: MOST_SERVERS });
  return {
    add(key, line) {
      const lines = logs.get(key) ?? [];
      lines.push(`${now().toISOString()} ${maskCredentials(line.slice(0, LONGEST_LINE))}`);
      if (lines.length > MOST_LINES) lines.splice(0, lines.length - MOST_LINES);
      logs.set(key, lines);
    },
    read: (key) => logs.get(key) ?? [],
  };
}
