import type { RequestKey } from '../../requests/approval-request.ts';

/** Sealing context of a request's call: it cannot be opened for another request. */
export function describeCallContext({ accountId, id }: RequestKey): string {
  return `approved call ${accountId} ${id}`;
}

export function describeResultContext({ accountId, id }: RequestKey): string {
  return `approved result ${accountId} ${id}`;
}
