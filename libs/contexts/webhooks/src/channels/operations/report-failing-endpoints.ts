import { beginTrace, deterministicId } from '@steward/crypto';
import type { HintSink } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { storeMessage, type EmitOptions } from '../../outbox/operations/emit-event.ts';
import { buildEventBody } from '../../outbox/rules/event-body.ts';
import { ENDPOINT_FAILING } from '../../outbox/rules/message-types.ts';
import { listFailingEndpoints, type FailingEndpoint } from '../store/failing-endpoint.store.ts';

/** How far back is looked: longer than any dispatcher needs to restart. */
const WITHIN_MINUTES = 60;

/**
 * Queues a notice for each endpoint whose breaker opened, once for each opening: the id of the message is made of both,
 * so that several dispatchers may do this at once. The channel that fails itself gets none. Returns the number of
 * queued deliveries.
 */
export async function reportFailingEndpoints(db: AnyDatabase, options: EmitOptions): Promise<number> {
  let queued = 0;
  for (const failing of await listFailingEndpoints(db, WITHIN_MINUTES)) queued += await report(db, failing, options);
  return queued;
}

async function report(
  db: AnyDatabase,
  { accountId, openedAt, data }: FailingEndpoint,
  options: EmitOptions,
): Promise<number> {
  const id = deterministicId(ENDPOINT_FAILING, data.endpoint_id, openedAt.toISOString());
  const fact = { id, type: ENDPOINT_FAILING, accountId, occurredAt: openedAt, data };
  const { bytes: body, truncated } = buildEventBody(fact);
  const message = { id, type: ENDPOINT_FAILING, accountId, occurredAt: openedAt, body, truncated };
  const audience = { kind: 'channels', exceptEndpointId: data.endpoint_id } as const;
  const outcome = await db
    .transaction()
    .execute((trx) => storeMessage(trx, createSilentHints(), message, audience, options));
  return outcome.kind === 'emitted' ? outcome.deliveryIds.length : 0;
}

/** The dispatcher that queues a notice claims it itself, so that nobody has to be told. */
function createSilentHints(): HintSink {
  const sink: HintSink = { traceparent: beginTrace(), add: () => undefined, within: () => sink };
  return sink;
}
