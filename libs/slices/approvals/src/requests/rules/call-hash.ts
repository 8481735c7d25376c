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
