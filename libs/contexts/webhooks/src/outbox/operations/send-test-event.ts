import { EVENT_TYPES, type EventData, type HintSink, type SubscribableEventType } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import type { EndpointScope } from '../../endpoints/endpoint-scope.ts';
import { findEndpoint } from '../../endpoints/store/endpoint.store.ts';
import { emitTo, type EmitOptions, type EmitOutcome } from './emit-event.ts';

/** The type of the test event, or an event type whose example event is sent. */
export type SentType = SubscribableEventType | 'webhook.test';

export interface TestSend extends EndpointScope {
  readonly endpointId: string;
  readonly requestedByUserId: string | null;
  readonly now: Date;
  /** Event type whose example event is sent; if undefined, a `webhook.test` event is sent. */
  readonly eventType?: SentType;
}

/**
 * Queues a `webhook.test` event, or the example event of an event type, for one endpoint, regardless of its
 * subscriptions. The delivery is an ordinary one: signed, retried, counted by the breaker, and held while the endpoint
 * is inactive. Returns `no_endpoint` if the scope contains no such endpoint.
 */
export async function sendTestEvent(
  trx: AnyTransaction,
  hints: HintSink,
  test: TestSend,
  options: EmitOptions,
): Promise<EmitOutcome> {
  const { eventType = 'webhook.test', group } = test;
  if (group !== undefined && (await findEndpoint(trx, test, test.endpointId)) === undefined)
    return { kind: 'no_endpoint' };
  const event = {
    type: eventType,
    id: newId(),
    accountId: test.accountId,
    occurredAt: test.now,
    data: eventType === 'webhook.test' ? describeTest(test) : (EVENT_TYPES[eventType].example as EventData<SentType>),
  };
  return emitTo(trx, hints, event, { kind: 'endpoint', endpointId: test.endpointId }, options);
}

function describeTest({ endpointId, requestedByUserId }: TestSend): EventData<'webhook.test'> {
  return {
    message: 'This is a test delivery from Steward.',
    endpoint_id: endpointId,
    requested_by_user_id: requestedByUserId,
  };
}
