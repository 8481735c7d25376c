import { deterministicId } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import type { EmitOptions } from '../../outbox/operations/emit-event.ts';
import { ENDPOINT_FAILING } from '../../outbox/rules/message-types.ts';
import { findStoredMessages, listFailingEndpoints, type FailingEndpoint } from '../store/failing-endpoint.store.ts';
import { storeFailureNotice } from './store-failure-notice.ts';

/** Time in minutes for which the opening of a breaker can be reported: longer than any dispatcher needs to restart. */
const WITHIN_MINUTES = 60;

/**
 * Queues a notice for each endpoint whose breaker opened, once for each opening: the id of the message is derived from
 * the endpoint and the time of the opening, so that several dispatchers may do this at once. A failing channel gets no
 * notice about itself. Returns the number of queued deliveries.
 */
export async function reportFailingEndpoints(db: AnyDatabase, options: EmitOptions): Promise<number> {
  const failing = (await listFailingEndpoints(db, WITHIN_MINUTES)).map((each) => ({ ...each, id: identify(each) }));
  if (failing.length === 0) return 0;
  const stored = await findStoredMessages(db, failing);
  // Each report needs a transaction that locks a shard of its account, so reports that are already stored are skipped.
  const missing = failing.filter(({ id }) => !stored.has(id));
  let queued = 0;
  for (const each of missing) queued += await report(db, each, options);
  return queued;
}

function identify({ openedAt, data }: FailingEndpoint): string {
  return deterministicId(ENDPOINT_FAILING, data.endpoint_id, openedAt.toISOString());
}

async function report(
  db: AnyDatabase,
  { id, accountId, openedAt, data }: FailingEndpoint & { readonly id: string },
  options: EmitOptions,
): Promise<number> {
  const notice = { id, accountId, occurredAt: openedAt, data };
  const outcome = await db.transaction().execute((trx) => storeFailureNotice(trx, notice, options));
  return outcome.kind === 'emitted' ? outcome.deliveryIds.length : 0;
}
