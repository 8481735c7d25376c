import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@steward/contracts';
import {
  buildArrival,
  insertArrival,
  openSigningSecrets,
  SOURCES,
  type ArrivalFacts,
  type SourceName,
  type WebhookFlow,
} from '@steward/flows';
import { judgeEvent } from './admit-source-event.ts';
import type { AcceptedTrigger, ChallengeAnswer, IgnoredTrigger } from './answer-trigger.ts';
import { readSourceBody } from './read-source-body.ts';
import { startFlow, type TriggerDeps, type TriggerRequest } from './start-flow.ts';

export interface SourceTrigger extends Pick<TriggerRequest, 'secretHash' | 'findFlow' | 'audit' | 'traceparent'> {
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  /** Idempotency key that is used instead of the key from the source. */
  readonly ownKey: string | undefined;
}

/**
 * Handles a request from a known source: the one that the flow names, or one that was recognized by its headers. The
 * signature is checked first: if it is wrong, nothing is parsed, stored or revealed. Stores the request as an arrival
 * if it starts a run, is deduplicated or is ignored; challenges, which are answered immediately, and refused requests
 * are not stored.
 */
export async function receiveSource(
  deps: TriggerDeps,
  flow: WebhookFlow,
  { name, request }: { readonly name: SourceName; readonly request: SourceTrigger },
): Promise<AcceptedTrigger | IgnoredTrigger | ChallengeAnswer> {
  const { ownKey, ...trigger } = request;
  const { headers, rawBody } = trigger;
  const host = SOURCES[name];
  requireSignature(deps, flow, { name, request });
  const payload = readSourceBody(host, headers, rawBody);
  const receivedAt = deps.clock.now();
  const bodyDigest = hash('sha256', rawBody, 'hex');
  const judged = judgeEvent(name, flow.webhook_config, { headers, payload, bodyDigest, now: receivedAt });
  const { event, source, ignored: reason } = judged;
  const facts = { flowId: flow.id, receivedAt, source, payload };
  if (event.answer !== undefined) return { status: 200, body: event.answer };
  if (reason !== undefined) return ignore(deps, { ...facts, reason });
  // The source determines which requests report the same event, and gives them the same key. The body may differ
  // between repeated requests, so the key is compared in its place, too.
  const repeatKey = ownKey === undefined ? event.repeatKey : undefined;
  const started = await startFlow(deps, flow, {
    ...trigger,
    type: flow.trigger,
    source,
    readPayload: () => ({ payload }),
    key: repeatKey === undefined ? ownKey : `${name}:${repeatKey}`,
    rawBody: repeatKey === undefined ? rawBody : Buffer.from(repeatKey),
  });
  const { deduplicated, execution_id: id } = started.body;
  await keepArrival(deps, { ...facts, outcome: deduplicated ? 'deduplicated' : 'accepted', executionId: String(id) });
  return started;
}

/** Stores a request that starts no run, and returns a response that contains the reason. */
export async function ignore(
  deps: Pick<TriggerDeps, 'db'>,
  facts: Omit<ArrivalFacts, 'outcome'> & { readonly reason: string },
): Promise<IgnoredTrigger> {
  const arrivalId = await keepArrival(deps, { ...facts, outcome: 'ignored' });
  const { reason, flowId, source } = facts;
  return {
    status: 202,
    body: { status: 'ignored', flow_id: flowId, reason, event: source.event, arrival_id: arrivalId },
  };
}

export async function keepArrival({ db }: Pick<TriggerDeps, 'db'>, facts: ArrivalFacts): Promise<string> {
  const arrival = buildArrival(facts);
  await insertArrival(db, arrival);
  return arrival.id;
}

/**
 * Checks the signature of a request. If the flow has no signing secrets, the request is authenticated only by the
 * secret in the URL.
 * @throws invalid_signature
 */
function requireSignature(
  { secretBoxes, clock }: TriggerDeps,
  flow: WebhookFlow,
  { name, request }: { readonly name: SourceName; readonly request: SourceTrigger },
): void {
  if (flow.webhook_signing_sealed === null) return;
  const { headers, rawBody } = request;
  const now = clock.now();
  const secrets = openSigningSecrets(flow, secretBoxes.flow);
  if (!secrets.some((secret) => SOURCES[name].verify({ headers, rawBody, secret, now })))
    throw new AppError('invalid_signature');
}
