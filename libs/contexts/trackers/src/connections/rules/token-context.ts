import type { TrackerRow } from '../../schema.ts';

/** Sealing context of a connection's token: it does not open in another row. */
export function describeTokenContext({ account_id: accountId, id }: Pick<TrackerRow, 'account_id' | 'id'>): string {
  return `${accountId}/${id}`;
}
