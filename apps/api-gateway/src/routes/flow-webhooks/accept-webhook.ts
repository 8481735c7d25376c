import type { IncomingHttpHeaders } from 'node:http';
import { parseJsonText, requireJson, type RouteResult } from '@steward/http';
import { AppError, newId } from '@steward/runtime';
import {
  buildEventDetails,
  digest,
  readIdempotencyKey,
  type BatchTrigger,
  type WebhookAddress,
  type WebhookFlow,
} from '@steward/slice-flows';
import type { TriggerDeps } from '../flows/flow-deps.ts';
import { acceptAudited, answerRepeated } from '../flows/accept-audited.ts';
import { answerTrigger } from '../flows/trigger-answer.ts';

export interface WebhookRequest {
  readonly address: WebhookAddress;
  /** Its secret matched and it is enabled: read for this request, or remembered, and then the statement checks both. */
  readonly flow: WebhookFlow;
  readonly rawBody: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
}

/** Larger bodies gain nothing from company, and a batch of them would be a statement of many MB. */
export const MAX_BATCHED_BYTES = 32 * 1024;

/**
 * Accepts an inbound webhook. The idempotency key comes before the body: a repeat is answered, and a key sent with other
 * bytes refused, whatever those bytes are. A small body is parsed first all the same, because most are no repeats and the
 * batch looks at the key; only when the body is refused is the key looked up.
 */
export async function acceptWebhook(deps: TriggerDeps, request: WebhookRequest): Promise<RouteResult> {
  const trigger = tryBuildTrigger(deps, request);
  if (trigger === undefined) return (await answerRepeated(deps, request)) ?? acceptSingly(deps, request);
  const outcome = await deps.triggerQueue.accept(trigger);
  if (outcome.kind !== 'flow_changed') return answerTrigger(request.flow.id, outcome);
  return acceptSingly(deps, { ...request, flow: await requireFlow(deps, request.address) });
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

/**
 * What goes into a batch; undefined for a body that is refused or needs more than the batch does. The parsed body ends here:
 * kept until the commit, it would be garbage that the collector copies first. The few that need it again parse it again.
 */
export function tryBuildTrigger(deps: TriggerDeps, request: WebhookRequest): BatchTrigger | undefined {
  const { address, flow, rawBody, headers, requestId } = request;
  if (rawBody.length > MAX_BATCHED_BYTES || (flow.webhook_config.dedupe_path ?? '') !== '') return undefined;
  const payload = tryReadPayload(request);
  if (payload === undefined || payload.value.workspace_files !== undefined) return undefined;
  const now = deps.clock.now();
  const key = readIdempotencyKey(headers);
  const event = { payload: payload.value, payloadText: payload.text, files: [] };
  return {
    executionId: newId(),
    auditId: newId(),
    flowId: flow.id,
    accountId: flow.account_id,
    secretHash: address.secretHash,
    details: buildEventDetails({ ...event, triggerType: 'webhook', receivedAt: now }),
    idempotency: key === undefined ? undefined : { keyDigest: digest(key), bodyDigest: digest(rawBody) },
    requestId,
    now,
  };
}

/** Undefined for a body that is refused, in case its key decides otherwise. */
function tryReadPayload(request: WebhookRequest): Payload | undefined {
  try {
    return readPayload(request);
  } catch {
    return undefined;
  }
}

function acceptSingly(deps: TriggerDeps, request: WebhookRequest): Promise<RouteResult> {
  const { flow, rawBody, headers, requestId } = request;
  const payload = readPayload(request);
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
