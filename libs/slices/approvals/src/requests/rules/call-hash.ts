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
