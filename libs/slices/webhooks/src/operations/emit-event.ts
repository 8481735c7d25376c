import type { EventData, EventType, HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import type { Transaction } from 'kysely';
import { buildEventBody } from '../rules/event-body.ts';
import { validateEventData } from '../rules/validate-event-data.ts';
import type { WebhooksDatabase } from '../schema.ts';
import {
  clearRefusal,
  existsEvent,
  insertEvent,
  lockOutbox,
  stampRefusal,
  type EventAudience,
} from '../store/outbox.store.ts';

export interface EmittedEvent<T extends EventType> {
  readonly type: T;
  /** From `deterministicId(...)`: the same fact emitted twice has the same id and is stored once. */
  readonly id: string;
  readonly accountId: string;
  /** When the fact happened. */
  readonly occurredAt: Date;
  readonly data: EventData<T>;
  /** The approval workflow concerned: its endpoints get the event beside those that subscribed. */
  readonly workflowId?: string | undefined;
}

export interface EmitOptions {
  /** `WEBHOOK_MAX_PENDING_PER_ACCOUNT`. */
  readonly maxPendingPerAccount: number;
}

export type EmitOutcome =
  | { readonly kind: 'emitted'; readonly eventId: string; readonly deliveryIds: readonly string[] }
  /** Nobody subscribed: nothing was stored. */
  | { readonly kind: 'no_endpoint' }
  /** The same fact was emitted before: nothing changed. */
  | { readonly kind: 'duplicate' }
  /** The bound of undelivered rows is reached: nothing was stored, the endpoints carry the reason. The producer goes on. */
  | { readonly kind: 'refused'; readonly reason: 'outbox_full' };

/**
 * Puts an event into the outbox inside the transaction that produced the fact: both are committed or neither is. Two
 * short statements, none when nobody listens.
 *
 * Call it late in the transaction: it locks the account's counter until the end, and other emitters of the same account
 * wait for it.
 *
 * @throws Error when `data` does not fit the type's published schema.
 */
export function emitEvent<T extends EventType>(
  trx: AnyTransaction,
  hints: HintSink,
  event: EmittedEvent<T>,
  options: EmitOptions,
): Promise<EmitOutcome> {
  return emitTo(trx, hints, event, { kind: 'subscribers', workflowId: event.workflowId }, options);
}

/** `emitEvent` for a chosen audience. */
export async function emitTo<T extends EventType>(
  anyTrx: AnyTransaction,
  hints: HintSink,
  event: EmittedEvent<T>,
  audience: EventAudience,
  options: EmitOptions,
): Promise<EmitOutcome> {
  const trx = anyTrx as Transaction<WebhooksDatabase>;
  validateEventData(event.type, event.data);
  const outbox = await lockOutbox(trx, event.accountId, event.type, audience);
  if (outbox === undefined) return { kind: 'no_endpoint' };
  if (outbox.pending + outbox.endpointIds.length > options.maxPendingPerAccount) {
    if (await existsEvent(trx, event.accountId, event.id)) return { kind: 'duplicate' };
    await stampRefusal(trx, event.accountId);
    return { kind: 'refused', reason: 'outbox_full' };
  }
  const { bytes, truncated } = buildEventBody(event);
  const deliveryIds = await insertEvent(trx, { ...event, body: bytes, truncated }, outbox.endpointIds);
  if (deliveryIds.length === 0) return { kind: 'duplicate' };
  if (outbox.refused) await clearRefusal(trx, [event.accountId]);
  hints.add('event-emitted', {
    account_id: event.accountId,
    event_id: event.id,
    event_type: event.type,
    generation: 1,
    delivery_count: deliveryIds.length,
  });
  return { kind: 'emitted', eventId: event.id, deliveryIds };
}
