import type { RequestKey } from '../../requests/approval-request.ts';

/** Returns the sealing context of a request's call, which binds the sealed call to the request. */
export function describeCallContext({ accountId, id }: RequestKey): string {
  return `approved call ${accountId} ${id}`;
}

export function describeResultContext({ accountId, id }: RequestKey): string {
  return `approved result ${accountId} ${id}`;
}
