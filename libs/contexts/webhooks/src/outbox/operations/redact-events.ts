import type { AnyTransaction } from '@steward/database';
import { buildRedactedBody } from '../rules/event-body.ts';
import * as store from '../store/redaction.store.ts';

/**
 * Removes `data` from events whose subject was deleted (EVT-18): later attempts and replays state that it was removed
 * and why. Ids of events that are not stored are skipped.
 */
export async function redactEvents(
  trx: AnyTransaction,
  { accountId, ids, reason }: { readonly accountId: string; readonly ids: readonly string[]; readonly reason: string },
): Promise<void> {
  for (const event of await store.listFacts(trx, accountId, ids)) {
    const body = buildRedactedBody({ ...event, accountId }, reason);
    await store.replaceBody(trx, { accountId, id: event.id, body });
  }
}
