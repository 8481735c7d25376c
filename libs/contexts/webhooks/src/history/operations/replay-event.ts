import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import type { EndpointScope } from '../../endpoints/endpoint-scope.ts';
import type { SentType } from '../../outbox/operations/send-test-event.ts';
import { computeFree } from '../../outbox/rules/outbox-quotas.ts';
import { lockAccount } from '../../outbox/store/account-lock.store.ts';
import { insertGeneration, listReceivers, lockEvent } from '../store/replay.store.ts';
import { countAdded } from '../../outbox/operations/store-under-bound.ts';
import type { EmitOptions } from '../../outbox/operations/emit-event.ts';

export type ReplayOutcome =
  | {
      readonly kind: 'replayed';
      readonly deliveryIds: readonly string[];
      /** Ids of endpoints that have a delivery of the event but are now inactive or deleted. */
      readonly skippedEndpointIds: readonly string[];
    }
  | { readonly kind: 'not_found' }
  /** Outcome if the requested endpoint has no delivery of the event. */
  | { readonly kind: 'no_receiver' }
  | { readonly kind: 'refused'; readonly reason: 'outbox_full' };

export interface ReplayKey extends EndpointScope {
  readonly eventId: string;
  /** Id of the only endpoint to which the event is sent; undefined for all receivers. */
  readonly endpointId?: string | undefined;
  /** Set for a portal link: only test events and events of these types are found (HOOK-53). */
  readonly portalTypes?: readonly string[] | undefined;
}

const TEST_EVENT: SentType = 'webhook.test';

/**
 * Sends an event again to every endpoint to which it was sent, or to one of them, with the same event id and bytes, new
 * delivery ids and the next generation number (HOOK-35).
 */
export async function replayEvent(
  trx: AnyTransaction,
  hints: HintSink,
  key: ReplayKey,
  options: EmitOptions,
): Promise<ReplayOutcome> {
  const held = await lockAccount(trx, key.accountId);
  const event = await lockEvent(trx, key.accountId, key.eventId);
  if (event === undefined) return { kind: 'not_found' };
  const { endpointId, portalTypes } = key;
  if (portalTypes !== undefined && ![TEST_EVENT, ...portalTypes].includes(event.type)) return { kind: 'not_found' };
  const ofScope = await listReceivers(trx, key, key.eventId);
  if (ofScope.length === 0 && key.group !== undefined) return { kind: 'not_found' };
  const receivers = ofScope.filter((receiver) => endpointId === undefined || receiver.endpointId === endpointId);
  if (receivers.length === 0 && endpointId !== undefined) return { kind: 'no_receiver' };
  const targets = receivers.filter((receiver) => receiver.takesReplay).map((receiver) => receiver.endpointId);
  const skippedEndpointIds = receivers.filter((receiver) => !receiver.takesReplay).map((r) => r.endpointId);
  const bound = options.maxPendingPerAccount;
  if (computeFree(held, bound) < targets.length) return { kind: 'refused', reason: 'outbox_full' };
  if (targets.length === 0) return { kind: 'replayed', deliveryIds: [], skippedEndpointIds };
  const deliveryIds = await insertGeneration(trx, key, { ...event, traceparent: hints.traceparent }, targets);
  await countAdded(trx, key.accountId, held, { bound, added: deliveryIds.length });
  hints.add('event-emitted', {
    account_id: key.accountId,
    event_id: key.eventId,
    event_type: event.type,
    generation: event.nextGeneration,
    delivery_count: deliveryIds.length,
  });
  return { kind: 'replayed', deliveryIds, skippedEndpointIds };
}
