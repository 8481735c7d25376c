import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CliContext } from '../cli-context.ts';

/** Records the state of files that were sent to the service. */
export interface SentFiles {
  find(path: string): string | undefined;
  /** Records a sent file immediately, so that it is known however the command ends. */
  add(path: string, hash: string): void;
  close(): void;
}

/** Returns the path of the record in `$XDG_STATE_HOME/steward/imports/`; each account of each service has its own. */
export function findSentPath(env: CliContext['env'], url: string, accountId: string): string {
  const xdg = env['XDG_STATE_HOME'] ?? '';
  const home = xdg.startsWith('/') ? xdg : join(env['HOME'] ?? homedir(), '.local', 'state');
  const name = createHash('sha256').update(`${url}\n${accountId}`).digest('hex').slice(0, 16);
  return join(home, 'steward', 'imports', `${name}.jsonl`);
}

/** Opens the record. Lines are appended; the last line of each path applies, and a truncated last line is ignored. */
export function openSentFiles(path: string): SentFiles {
  const { known, lines } = readKnown(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (lines > 2 * known.size + 100) rewrite(path, known);
  const file = openSync(path, 'a', 0o600);
  // The line break ends the incomplete last line left by a killed command.
  if (lines > 0) writeSync(file, '\n');
  return {
    find: (sent) => known.get(sent),
    add(sent, hash) {
      known.set(sent, hash);
      writeSync(file, toLine(sent, hash));
    },
    close: () => closeSync(file),
  };
}

function toLine(path: string, hash: string): string {
  return `${JSON.stringify({ path, hash })}\n`;
}

function readKnown(path: string): { known: Map<string, string>; lines: number } {
  const known = new Map<string, string>();
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const lines = text.split('\n').filter((line) => line !== '');
  for (const line of lines) {
    try {
      const { path: sent, hash } = JSON.parse(line) as { path: string; hash: string };
      if (typeof sent === 'string' && typeof hash === 'string') known.set(sent, hash);
    } catch {
      // The line is truncated, so the file is sent once more, which adds no content.
    }
  }
  return { known, lines: lines.length };
}

function rewrite(path: string, known: ReadonlyMap<string, string>): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, [...known].map(([sent, hash]) => toLine(sent, hash)).join(''), { mode: 0o600 });
  renameSync(temporary, path);
}
