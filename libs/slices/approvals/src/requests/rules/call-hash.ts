import { hashJson } from '@steward/crypto';
import { leaveOutInert, type InertArguments } from './inert-arguments.ts';

export interface HashedCall {
  /** Who calls: the same tool and arguments of another caller are another call. */
  readonly caller: string;
  readonly server: string;
  readonly toolName: string;
  readonly arguments: unknown;
  /** Of the tool as it is described: described otherwise it is another call. Null where that is not known. */
  readonly definitionHash: string | null;
}

/** Who calls what with which arguments, but for those that do nothing. */
export function hashCall(call: HashedCall, inert: InertArguments): Buffer {
  const { caller, server, toolName, definitionHash } = call;
  const args = leaveOutInert(call, inert);
  return hashJson([caller, server, toolName, args, ...(definitionHash === null ? [] : [definitionHash])]);
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
