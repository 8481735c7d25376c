import { hashJson } from '@steward/crypto';
import { leaveOutInert, type InertArguments } from './inert-arguments.ts';

export interface HashedCall {
  /** The caller: the same tool and arguments of another caller are another call. */
  readonly caller: string;
  readonly server: string;
  readonly toolName: string;
  readonly arguments: unknown;
  /** Hash of the tool description: another description makes another call. Null if unknown. */
  readonly definitionHash: string | null;
}

/** Hashes caller, tool and arguments, without arguments that have no effect. */
export function hashCall(call: HashedCall, inert: InertArguments): Buffer {
  const { caller, server, toolName, definitionHash } = call;
  const args = leaveOutInert(call, inert);
  return hashJson([caller, server, toolName, args, ...(definitionHash === null ? [] : [definitionHash])]);
}
