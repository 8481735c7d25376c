import { createHash } from 'node:crypto';

export interface HashedCall {
  /** Who calls: the same tool and arguments of another caller are another call. */
  readonly caller: string;
  readonly server: string;
  readonly toolName: string;
  readonly arguments: unknown;
}

/** SHA-256 over who calls what with which arguments; the order of the keys in an object makes no difference. */
export function hashCall({ caller, server, toolName, arguments: args }: HashedCall): Buffer {
  const text = JSON.stringify([caller, server, toolName, args], sortKeys);
  return createHash('sha256').update(text).digest();
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Above it two numbers that are written differently may be read as one. */
const LARGEST = Number.MAX_SAFE_INTEGER;

/**
 * Whether a number in the arguments may not be the one that was written: past 2^53 neighbours are read as one, so that
 * two different calls would have one hash. Without recursion: arguments are nested as deep as their sender likes.
 */
export function holdsInexactNumber(args: unknown): boolean {
  const open: unknown[] = [args];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'number' && Math.abs(value) > LARGEST) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const item of Object.values(value)) open.push(item);
  }
  return false;
}
