import type { HintSink } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { emitTo, type EmitOptions, type EmitOutcome } from './emit-event.ts';

export interface TestSend {
  readonly accountId: string;
  readonly endpointId: string;
  readonly requestedByUserId: string | null;
  readonly now: Date;
}

/**
 * Queues a `webhook.test` for one endpoint with any subscriptions. It is a delivery like any other: signed, retried,
 * counted by the breaker, held while the endpoint is inactive. `no_endpoint` if it does not exist.
 */
export function sendTestEvent(
  trx: AnyTransaction,
  hints: HintSink,
  test: TestSend,
  options: EmitOptions,
): Promise<EmitOutcome> {
  const event = {
    type: 'webhook.test',
    id: newId(),
    accountId: test.accountId,
    occurredAt: test.now,
    data: {
      message: 'This is a test delivery from Steward.',
      endpoint_id: test.endpointId,
      requested_by_user_id: test.requestedByUserId,
    },
  } as const;
  return emitTo(trx, hints, event, { kind: 'endpoint', endpointId: test.endpointId }, options);
}
