import type { RequestKey } from '../../requests/approval-request.ts';

/** What the sealed call of a request is bound to: moved to another one it does not open. */
export function describeCallContext({ accountId, id }: RequestKey): string {
  return `approved call ${accountId} ${id}`;
}

export function describeResultContext({ accountId, id }: RequestKey): string {
  return `approved result ${accountId} ${id}`;
}
