import { hashJson } from '@steward/crypto';
import { leaveOutInert, type InertArguments } from './inert-arguments.ts';

export interface HashedCall {
  /** The caller: the same tool and arguments from another caller are a different call. */
  readonly caller: string;
  readonly server: string;
  readonly toolName: string;
  readonly arguments: unknown;
  /**
   * Hash of the tool description; null for a resource, a prompt or a tool that no tool server of the account offers. A
   * call with another description is a different call.
   */
  readonly definitionHash: string | null;
}

/** Hashes the caller, the tool, its description and the arguments, except for arguments that have no effect. */
export function hashCall(call: HashedCall, inert: InertArguments): Buffer {
  const { caller, server, toolName, definitionHash } = call;
  const args = leaveOutInert(call, inert);
  return hashJson([caller, server, toolName, args, ...(definitionHash === null ? [] : [definitionHash])]);
}
