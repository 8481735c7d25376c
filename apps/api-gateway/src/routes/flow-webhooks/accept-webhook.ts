import type { IncomingHttpHeaders } from 'node:http';
import { parseJsonText, requireJson, type RouteResult } from '@steward/http';
import { AppError, newId } from '@steward/runtime';
import {
  buildEventDetails,
  digest,
  hashWebhookSecret,
  readIdempotencyKey,
  type BatchTriggerOutcome,
  type WebhookAddress,
  type WebhookFlow,
} from '@steward/slice-flows';
import type { TriggerDeps } from '../flows/flow-deps.ts';
import { acceptAudited, answerRepeated } from '../flows/accept-audited.ts';
import { answerTrigger } from '../flows/trigger-answer.ts';

export interface WebhookRequest {
  readonly address: WebhookAddress;
  /** Read for this request: its secret matched and it is enabled. */
  readonly flow: WebhookFlow;
  readonly rawBody: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
}

/** Larger bodies gain nothing from company, and a batch of them would be a statement of many MB. */
const MAX_BATCHED_BYTES = 32 * 1024;

/**
 * Accepts an inbound webhook. The idempotency key comes before the body: a repeat is answered, and a key sent with other
 * bytes refused, whatever those bytes are. A small body is parsed first all the same, because most are no repeats and the
 * batch looks at the key; only when the body is refused is the key looked up.
 */
export async function acceptWebhook(deps: TriggerDeps, request: WebhookRequest): Promise<RouteResult> {
  const payload = request.rawBody.length > MAX_BATCHED_BYTES ? undefined : tryReadPayload(request);
  if (payload === undefined || payload.value.workspace_files !== undefined || hasDedupePath(request.flow)) {
    return (await answerRepeated(deps, request)) ?? acceptSingly(deps, request, payload ?? readPayload(request));
  }
  const outcome = await acceptBatched(deps, request, payload);
  if (outcome.kind !== 'flow_changed') return answerTrigger(request.flow.id, outcome);
  return acceptSingly(deps, { ...request, flow: await requireFlow(deps, request.address) }, payload);
}

/** @throws not_found, flow_disabled */
async function requireFlow(deps: TriggerDeps, address: WebhookAddress): Promise<WebhookFlow> {
  const flow = await deps.triggerQueue.findFlow(address);
  if (flow === undefined) throw new AppError('not_found');
  if (!flow.is_enabled) throw new AppError('flow_disabled');
  return flow;
}

interface Payload {
  readonly value: Readonly<Record<string, unknown>>;
  readonly text: string;
}

function readPayload({ rawBody, headers }: WebhookRequest): Payload {
  requireJson({ headers });
  const { text, value } = parseJsonText(rawBody);
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new AppError('invalid_request', { message: 'The payload must be a JSON object.' });
  return { text, value: value as Readonly<Record<string, unknown>> };
}

/** Undefined for a body that is refused, in case its key decides otherwise. */
function tryReadPayload(request: WebhookRequest): Payload | undefined {
  try {
    return readPayload(request);
  } catch {
    return undefined;
  }
}

function hasDedupePath(flow: WebhookFlow): boolean {
  return (flow.webhook_config.dedupe_path ?? '') !== '';
}

function acceptBatched(deps: TriggerDeps, request: WebhookRequest, payload: Payload): Promise<BatchTriggerOutcome> {
  const { address, flow, rawBody, headers, requestId } = request;
  const now = deps.clock.now();
  const key = readIdempotencyKey(headers);
  const event = { payload: payload.value, payloadText: payload.text, files: [] };
  return deps.triggerQueue.accept({
    executionId: newId(),
    auditId: newId(),
    flowId: flow.id,
    accountId: flow.account_id,
    secretHash: hashWebhookSecret(address.presentedSecret),
    details: buildEventDetails({ ...event, triggerType: 'webhook', receivedAt: now }),
    idempotency: key === undefined ? undefined : { keyDigest: digest(key), bodyDigest: digest(rawBody) },
    requestId,
    now,
  });
}

function acceptSingly(deps: TriggerDeps, request: WebhookRequest, payload: Payload): Promise<RouteResult> {
  const { flow, rawBody, headers, requestId } = request;
  return acceptAudited(deps, {
    flow,
    triggerType: 'webhook',
    payload: payload.value,
    payloadText: payload.text,
    rawBody,
    headers,
    actor: { kind: 'anonymous', id: null },
    source: 'webhook',
    requestId,
  });
}
