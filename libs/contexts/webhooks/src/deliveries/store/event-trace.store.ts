import type { AnyDatabase } from '@steward/database';
import type { ClaimedDelivery } from './claimed-rows.store.ts';

/** Returns the trace context of an event; undefined if it has none, or was deleted. */
export async function readEventTrace(
  db: AnyDatabase,
  { accountId, eventId }: Pick<ClaimedDelivery, 'accountId' | 'eventId'>,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('webhooks.event')
    .select('traceparent')
    .where('account_id', '=', accountId)
    .where('id', '=', eventId)
    .executeTakeFirst();
  return (row as { readonly traceparent: string | null } | undefined)?.traceparent ?? undefined;
}
