import type { HintSink } from '@steward/contracts';
import { beginTrace } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { storeMessage, type EmitOptions, type EmitOutcome } from '../../outbox/operations/emit-event.ts';
import { buildEventBody } from '../../outbox/rules/event-body.ts';
import { ENDPOINT_FAILING } from '../../outbox/rules/message-types.ts';
import type { EndpointFailure } from '../channel.ts';

export interface FailureNotice {
  readonly id: string;
  readonly accountId: string;
  readonly occurredAt: Date;
  readonly data: EndpointFailure;
}

/**
 * Queues a notice about an endpoint for every channel and browser that receives such notices. If the endpoint is itself
 * such a channel, it gets no notice.
 */
export function storeFailureNotice(
  trx: AnyTransaction,
  { id, accountId, occurredAt, data }: FailureNotice,
  options: EmitOptions,
): Promise<EmitOutcome> {
  const { bytes: body, truncated } = buildEventBody({ id, type: ENDPOINT_FAILING, accountId, occurredAt, data });
  const message = { id, type: ENDPOINT_FAILING, accountId, occurredAt, body, truncated };
  const audience = { kind: 'channels', exceptEndpointId: data.endpoint_id } as const;
  return storeMessage(trx, createSilentHints(), message, audience, options);
}

/**
 * Creates a sink that ignores hints: these notices are queued by a dispatcher, which also claims deliveries, so no
 * other process has to be notified.
 */
function createSilentHints(): HintSink {
  const sink: HintSink = { traceparent: beginTrace(), add: () => undefined, within: () => sink };
  return sink;
}
