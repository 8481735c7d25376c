import type { TrackerRow } from '../../schema.ts';

/** What the token of a connection is bound to when it is sealed: in another row it does not open. */
export function describeTokenContext({ account_id: accountId, id }: Pick<TrackerRow, 'account_id' | 'id'>): string {
  return `${accountId}/${id}`;
}
