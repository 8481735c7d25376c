import type { EventData, EventType, HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { drawHop, type SpanFacts } from '@steward/telemetry';
import { buildEventBody } from '../rules/event-body.ts';
import { validateEventData } from '../rules/validate-event-data.ts';
import { pickOutbox, type EventAudience, type NewEvent, type PickedOutbox } from '../store/outbox.store.ts';
import { awaitShard } from '../store/shard.store.ts';
import { storeInShard, storeUnderBound, type StoreOutcome } from './store-under-bound.ts';

export interface EmittedEvent<T extends EventType> {
  readonly type: T;
  /**
   * Id from `deterministicId(...)`: if the same fact is emitted again, its event has the same id, so that it is stored
   * only once.
   */
  readonly id: string;
  readonly accountId: string;
  /** Time at which the fact occurred. */
  readonly occurredAt: Date;
  readonly data: EventData<T>;
  /** Approval workflow to which the event belongs: its endpoints receive the event in addition to the subscribers. */
  readonly workflowId?: string | undefined;
}

export interface EmitOptions {
  /** Value of `WEBHOOK_MAX_PENDING_PER_ACCOUNT`: maximum number of pending deliveries of an account. */
  readonly maxPendingPerAccount: number;
}

export type EmitOutcome =
  | { readonly kind: 'emitted'; readonly eventId: string; readonly deliveryIds: readonly string[] }
  /** Outcome if no endpoint receives the event; nothing was stored. */
  | { readonly kind: 'no_endpoint' }
  /** Outcome if the same fact was emitted before; nothing was stored. */
  | { readonly kind: 'duplicate' }
  /**
   * Outcome if the deliveries would exceed the limit of pending deliveries: nothing was stored, and the endpoints show
   * the reason. The producer continues normally.
   */
  | { readonly kind: 'refused'; readonly reason: 'outbox_full' };

/**
 * Puts an event into the outbox in the transaction that produces the fact: either both are committed or neither is.
 * Normally it uses two short statements, or one if no endpoint receives the event, and waits only for transactions that
 * emit the same fact. If all suitable shards of the counter are locked, it also waits for one of them.
 *
 * Near the limit it locks all counter shards of the account, and other emitters of the account wait for the end of the
 * transaction, so the event should be emitted late in the transaction. Near the limit, the second and further events of
 * one transaction may also be refused slightly below the limit, if transactions in progress have reserved the remaining
 * capacity.
 *
 * @throws Error if `data` violates the type's published schema.
 */
export function emitEvent<T extends EventType>(
  trx: AnyTransaction,
  hints: HintSink,
  event: EmittedEvent<T>,
  options: EmitOptions,
): Promise<EmitOutcome> {
  return emitTo(trx, hints, event, { kind: 'subscribers', workflowId: event.workflowId }, options);
}

/** Puts an event into the outbox for a given audience, as `emitEvent` does for subscribers. */
export async function emitTo<T extends EventType>(
  trx: AnyTransaction,
  hints: HintSink,
  event: EmittedEvent<T>,
  audience: EventAudience,
  options: EmitOptions,
): Promise<EmitOutcome> {
  validateEventData(event.type, event.data);
  const { bytes: body, truncated } = buildEventBody(event);
  return storeMessage(trx, hints, { ...event, body, truncated }, audience, options);
}

/** Stores an event and counts its deliveries; a listener has no delivery, so listeners are not counted. */
async function storeCounted(
  trx: AnyTransaction,
  event: NewEvent,
  outbox: PickedOutbox,
  bound: number,
): Promise<StoreOutcome> {
  const { endpointIds, deliveries: wanted } = outbox;
  if (wanted === 0) return storeInShard(trx, event, endpointIds, undefined);
  const shard = outbox.shard ?? (await awaitShard(trx, event.accountId, { bound, wanted }));
  return shard === undefined
    ? storeUnderBound(trx, event, outbox, bound)
    : storeInShard(trx, event, endpointIds, shard);
}

/** A message with its body; the body of an event is the serialized envelope. */
export type OutboxMessage = Omit<NewEvent, 'traceparent'>;

/** Returns the properties of an event's span, which is the parent of the spans of the deliveries. */
function describeHop({ id, type }: Pick<OutboxMessage, 'id' | 'type'>): SpanFacts {
  const attributes = { 'steward.event.id': id, 'steward.event.type': type };
  return { name: 'create event', kind: 'producer', attributes };
}

/**
 * Puts a message with a serialized body into the outbox: an event, or a message that is not in the catalog of events.
 */
export async function storeMessage(
  trx: AnyTransaction,
  hints: HintSink,
  event: OutboxMessage,
  audience: EventAudience,
  options: EmitOptions,
): Promise<EmitOutcome> {
  const { maxPendingPerAccount } = options;
  const outbox = await pickOutbox(trx, event.accountId, event.type, audience, maxPendingPerAccount);
  if (outbox === undefined) return { kind: 'no_endpoint' };
  const newEvent = { ...event, traceparent: drawHop(hints.traceparent, describeHop(event)) };
  const stored = await storeCounted(trx, newEvent, outbox, maxPendingPerAccount);
  if (stored.kind !== 'stored') return stored;
  const { deliveryIds } = stored;
  if (deliveryIds.length > 0)
    hints.add('event-emitted', {
      account_id: event.accountId,
      event_id: event.id,
      event_type: event.type,
      generation: 1,
      delivery_count: deliveryIds.length,
    });
  return { kind: 'emitted', eventId: event.id, deliveryIds };
}
