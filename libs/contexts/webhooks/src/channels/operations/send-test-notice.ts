import { EVENT_TYPES, type HintSink } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { storeMessage, type EmitOptions, type EmitOutcome } from '../../outbox/operations/emit-event.ts';
import { buildEventBody } from '../../outbox/rules/event-body.ts';
import { ENDPOINT_FAILING } from '../../outbox/rules/message-types.ts';
import type { EndpointFailure, NoticeType } from '../channel.ts';

export interface TestNotice {
  readonly accountId: string;
  readonly channelId: string;
  readonly requestedByUserId: string | null;
  readonly now: Date;
  /** Default: a test notice. */
  readonly notice: NoticeType | undefined;
}

/**
 * Queues a test notice, or an example of the given notice, for one channel, regardless of which notices the channel is
 * configured to receive. The notice is delivered like any other notice. Returns `no_endpoint` if the channel does not
 * exist.
 */
export function sendTestNotice(
  trx: AnyTransaction,
  hints: HintSink,
  test: TestNotice,
  options: EmitOptions,
): Promise<EmitOutcome> {
  const { accountId, notice: type = 'webhook.test', now: occurredAt, channelId: endpointId } = test;
  const data =
    type === 'webhook.test'
      ? { ...EVENT_TYPES[type].example, endpoint_id: endpointId, requested_by_user_id: test.requestedByUserId }
      : type === ENDPOINT_FAILING
        ? describeExample(endpointId, occurredAt)
        : EVENT_TYPES[type].example;
  const fact = { id: newId(), type, accountId, occurredAt, data };
  const { bytes: body, truncated } = buildEventBody(fact);
  const message = { id: fact.id, type, accountId, occurredAt, body, truncated };
  return storeMessage(trx, hints, message, { kind: 'channel', endpointId }, options);
}

function describeExample(endpointId: string, now: Date): EndpointFailure {
  return {
    endpoint_id: endpointId,
    source: 'account',
    description: 'Example receiver',
    origin: 'https://receiver.example.com',
    consecutive_failures: 10,
    response_status: 503,
    error: 'HTTP 503',
    paused_until: new Date(now.getTime() + 900_000).toISOString(),
  };
}
