import type { IncomingHttpHeaders } from 'node:http';
import { releaseBody, type RouteResult } from '@steward/http';
import { AppError } from '@steward/runtime';
import type { WebhookAddress, WebhookFlow } from '@steward/slice-flows';
import type { TriggerDeps } from '../flows/flow-deps.ts';
import { answerTrigger } from '../flows/trigger-answer.ts';
import { acceptWebhook, MAX_BATCHED_BYTES, tryBuildTrigger } from './accept-webhook.ts';

export interface UncheckedWebhook {
  readonly address: WebhookAddress;
  readonly readBody: () => Promise<Buffer>;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  readonly requestId: string;
}

/** What was done for a request before it turned out that its flow has to be looked up after all. */
interface Begun {
  readonly rawBody: Buffer;
  /** Whether its trigger was paid for. */
  readonly isCharged: boolean;
}

/**
 * Order of checks: size, secret, rate budget, state, idempotency key, media type, JSON, files. A stranger learns nothing about
 * a flow and cannot make the service work.
 */
export async function admitWebhook(deps: TriggerDeps, request: UncheckedWebhook): Promise<RouteResult> {
  const known = saysItIsSmall(request.headers) ? deps.knownFlows.recall(request.address) : undefined;
  if (known === undefined) return admitLookedUp(deps, request);
  const outcome = await tryKnownFlow(deps, request, known);
  return 'status' in outcome ? outcome : admitLookedUp(deps, request, { ...outcome, known });
}

/** Above it the flow is looked up before the body is read, however long ago it was seen. */
function saysItIsSmall({ 'content-length': length, 'content-encoding': encoding }: IncomingHttpHeaders): boolean {
  return length !== undefined && encoding === undefined && Number(length) <= MAX_BATCHED_BYTES;
}

/**
 * The way of nearly every trigger, without a look-up of its flow: the statement that writes it checks secret and switch
 * in the same transaction. Whatever else comes out is decided by a look-up, as if this had not been tried, except that a small
 * body has been read.
 */
async function tryKnownFlow(
  deps: TriggerDeps,
  request: UncheckedWebhook,
  flow: WebhookFlow,
): Promise<(RouteResult & { status: number }) | Begun> {
  const { address, headers, remoteAddress, requestId } = request;
  const rawBody = await request.readBody();
  const trigger = tryBuildTrigger(deps, { address, flow, rawBody, headers, requestId });
  // The budget comes last, with nothing to wait for before the statement: the secret may be one that was replaced. Of a
  // request that is refused for its rate, whether the flow is still there comes first.
  if (trigger === undefined || !hasBudget(deps, flow, remoteAddress)) return { rawBody, isCharged: false };
  const outcome = await deps.triggerQueue.accept(trigger);
  return outcome.kind === 'flow_changed' ? { rawBody, isCharged: true } : answerTrigger(flow.id, outcome);
}

/** Spends one trigger, if there is one. */
function hasBudget(deps: TriggerDeps, flow: WebhookFlow, remoteAddress: string): boolean {
  try {
    deps.triggerBudget.spendTrigger(flow.id, remoteAddress);
    return true;
  } catch {
    return false;
  }
}

/** The body is read only after the secret matched. */
async function admitLookedUp(
  deps: TriggerDeps,
  request: UncheckedWebhook,
  begun?: Begun & { readonly known: WebhookFlow },
): Promise<RouteResult> {
  const { address, headers, remoteAddress, requestId } = request;
  const flow = await deps.triggerQueue.findFlow(address);
  if (begun !== undefined) deps.knownFlows.forget(begun.known);
  if (flow === undefined) {
    if (begun?.isCharged === true) deps.triggerBudget.returnTrigger(begun.known.id, remoteAddress);
    deps.triggerBudget.spendFailure(remoteAddress);
    throw new AppError('not_found');
  }
  if (begun?.isCharged !== true) deps.triggerBudget.spendTrigger(flow.id, remoteAddress);
  if (!flow.is_enabled) throw new AppError('flow_disabled');
  deps.knownFlows.remember(flow);
  return deps.largeBodies.run(headers, async () => {
    const rawBody = begun?.rawBody ?? (await request.readBody());
    try {
      return await acceptWebhook(deps, { address, flow, rawBody, headers, requestId });
    } finally {
      releaseBody(rawBody);
    }
  });
}
