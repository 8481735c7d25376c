import type { AcceptedTrigger, ChallengeAnswer, IgnoredTrigger } from './answer-trigger.ts';
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Type } from '@sinclair/typebox';
import { CONTENT_BODY_LIMIT_BYTES, defineRoute, parseJsonText, requireJson, type Route } from '@steward/http';
import { AppError } from '@steward/contracts';
import { hashWebhookSecret, readIdempotencyKey, recogniseSource, type WebhookAddress } from '@steward/flows';
import { readDeclaredSize } from '@steward/api';
import { Challenge, IgnoredAnswer, TriggerAnswer } from '../flow-schemas.ts';
import { isPayload } from './payload.ts';
import { receiveSource } from './receive-source.ts';
import { requireEnabled } from './require-enabled.ts';
import { startFlow, type Payload, type TriggerDeps } from './start-flow.ts';

const Params = Type.Object({
  flow_id: Type.String({ format: 'uuid', description: 'The flow.' }),
  webhook_secret: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'The flow’s webhook secret. If the flow has signing secrets, the signature is verified too.',
  }),
});

/**
 * Creates the route of the inbound webhook of flows. The secret is in the path, so the path must not be logged or
 * returned: only the hash of the secret is passed on.
 */
export function createFlowWebhookRoute(deps: TriggerDeps): Route {
  return defineRoute({
    operationId: 'receiveFlowWebhook',
    method: 'post',
    path: '/webhooks/flows/{flow_id}/{webhook_secret}',
    aliases: ['/api/v1/webhooks/flows/{flow_id}/{webhook_secret}'],
    auth: 'none',
    leavesCallers: true,
    summary: 'Receive a webhook; the body becomes the trigger payload.',
    description:
      'Requests can safely be repeated with an Idempotency-Key (or X-GitHub-Delivery, X-Gitlab-Event-UUID, webhook-id or X-Service-Event-Id): for 24 hours, the same key returns the first execution. If the flow sets a source, such as `github`, the media types and headers of that sender are recognized, its signature is verified if the flow has signing secrets, and requests that do not match the flow’s event types or filter are ignored. If no source is set, the sender is recognized by its headers (X-GitHub-Event, X-Gitlab-Event, X-Event-Key and others).',
    params: Params,
    // Senders of webhooks may add any query string to the URL.
    ignoresQuery: true,
    bodyKind: 'json-later',
    bodyLimitBytes: CONTENT_BODY_LIMIT_BYTES,
    responses: {
      200: {
        description: 'The response to a verification request of the sender; no execution is started.',
        name: 'WebhookChallenge',
        schema: Challenge,
      },
      202: {
        description: 'The webhook was accepted and stored durably, or ignored for the given reason.',
        name: 'AcceptedWebhook',
        schema: Type.Union([TriggerAnswer, IgnoredAnswer]),
      },
    },
    unaudited: 'The statement that accepts the trigger also writes its audit entry.',
    handler: ({ params, readBody, headers, remoteAddress, requestId, traceparent }) => {
      const address = { flowId: params.flow_id, secretHash: hashWebhookSecret(params.webhook_secret) };
      return admitWebhook(deps, { address, readBody, headers, remoteAddress, requestId, traceparent });
    },
  });
}

interface WebhookRequest {
  readonly address: WebhookAddress;
  readonly readBody: () => Promise<Buffer>;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  readonly requestId: string;
  readonly traceparent: string;
}

/**
 * Admits a webhook request. Checks are made in this order: size, secret, rate budget, state, idempotency key, media
 * type, JSON, files; if the sender is known, the signature is checked before the media type, and the event types and
 * the filter after the JSON. Without the secret, a sender learns nothing about a flow and causes little load: the body
 * is read only after the secret has been verified.
 */
async function admitWebhook(
  deps: TriggerDeps,
  request: WebhookRequest,
): Promise<AcceptedTrigger | IgnoredTrigger | ChallengeAnswer> {
  const { address, headers, remoteAddress, requestId, traceparent } = request;
  const { budget, largeBodies } = deps.triggers;
  const flow = await deps.triggers.findWebhookFlow(address);
  if (flow === undefined) {
    budget.spendFailure(remoteAddress);
    throw new AppError('not_found');
  }
  budget.spendTrigger(flow.id, remoteAddress);
  requireEnabled(flow);
  return largeBodies.run(readDeclaredSize(headers), flow.account_id, async () => {
    const rawBody = await request.readBody();
    const common = {
      secretHash: address.secretHash,
      findFlow: async () => requireEnabled(await deps.triggers.findWebhookFlow(address)),
      rawBody,
      audit: { actor: { kind: 'anonymous', id: null }, source: 'webhook', requestId },
      traceparent,
    } as const;
    const key = () => readIdempotencyKey(headers, () => hash('sha256', rawBody, 'hex'));
    const { source } = flow.webhook_config;
    // If the flow names no source, the sender is recognized by the headers of the request, and the idempotency key is
    // determined as for any request (FLOW-26).
    const name = source ?? recogniseSource(headers);
    if (name !== undefined) {
      const ownKey = source === undefined ? key() : undefined;
      return receiveSource(deps, flow, { name, request: { ...common, headers, ownKey } });
    }
    return startFlow(deps, flow, {
      ...common,
      type: flow.trigger,
      readPayload: () => readPayload(headers, rawBody),
      key: key(),
    });
  });
}

function readPayload(headers: IncomingHttpHeaders, rawBody: Buffer): Payload {
  requireJson({ headers });
  const { text, value } = parseJsonText(rawBody);
  if (!isPayload(value)) throw new AppError('invalid_request', { message: 'The payload must be a JSON object.' });
  return { payload: value, payloadText: text };
}
