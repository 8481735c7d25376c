import { hash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { describeActor, defineRoute, type Route } from '@steward/http';
import { AppError } from '@steward/contracts';
import { findArrival, findFlow } from '@steward/flows';
import { requireFound } from '@steward/api';
import { IgnoredAnswer, TriggerAnswer } from '../flow-schemas.ts';
import { judgeEvent } from '../triggers/admit-source-event.ts';
import { isPayload } from '../triggers/payload.ts';
import { ignore, keepArrival } from '../triggers/receive-source.ts';
import { requireEnabled } from '../triggers/require-enabled.ts';
import { startFlow, type TriggerDeps } from '../triggers/start-flow.ts';

const Params = Type.Object({
  flow_id: Type.String({ format: 'uuid', description: 'The flow.' }),
  arrival_id: Type.String({ format: 'uuid', description: 'The arrival.' }),
});

export function createSendAgainRoute(deps: TriggerDeps): Route {
  return defineRoute({
    operationId: 'sendArrivalAgain',
    method: 'post',
    path: '/api/v1/flows/{flow_id}/arrivals/{arrival_id}/send-again',
    isAct: true,
    permissions: ['execute_flows'],
    summary:
      'Process an arrival again with the current settings of the flow. If the arrival matches these settings, a new execution is started.',
    params: Params,
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    responses: {
      202: {
        description: 'Accepted or ignored.',
        name: 'SentArrival',
        schema: Type.Union([TriggerAnswer, IgnoredAnswer]),
      },
    },
    unaudited: 'The statement that accepts the trigger also writes its audit entry.',
    handler: async ({ params, principal, remoteAddress, requestId, traceparent }) => {
      const { accountId } = principal;
      const find = async () => requireFound(await findFlow(deps.db, accountId, params.flow_id));
      const flow = requireEnabled(await find());
      const { webhook_config: options } = flow;
      const key = { accountId, flowId: flow.id, arrivalId: params.arrival_id };
      const { id: resentFrom, payload, source: told } = requireFound(await findArrival(deps.db, key));
      if (!isPayload(payload))
        throw new AppError('conflict', {
          message: 'The payload was too large to be stored. Have the host send it again.',
        });
      deps.triggers.budget.spendTrigger(flow.id, remoteAddress);
      const receivedAt = deps.clock.now();
      const bodyDigest = hash('sha256', JSON.stringify(payload), 'hex');
      const judged = judgeEvent(told.name, options, { headers: told.headers, payload, bodyDigest, now: receivedAt });
      const { source, ignored: reason } = judged;
      const facts = { flowId: flow.id, receivedAt, source, payload, resentFrom };
      if (reason !== undefined) return ignore(deps, { ...facts, reason });
      const started = await startFlow(deps, flow, {
        type: flow.trigger === 'tracker' ? 'tracker' : 'webhook',
        secretHash: null,
        findFlow: async () => requireEnabled(await find()),
        readPayload: () => ({ payload }),
        source,
        // There is no idempotency key: the arrival is sent again on purpose, so it does not count as a repetition of
        // the first request.
        key: undefined,
        rawBody: Buffer.alloc(0),
        audit: { actor: describeActor(principal), source: 'console', requestId },
        traceparent,
      });
      const { deduplicated, execution_id: id } = started.body;
      await keepArrival(deps, {
        ...facts,
        outcome: deduplicated ? 'deduplicated' : 'accepted',
        executionId: String(id),
      });
      return started;
    },
  });
}
