import { AppError, type Principal } from '@steward/contracts';
import {
  deleteBackgroundResponse,
  findBackgroundResponse,
  findServedModel,
  type BackgroundResponse,
  type ServedModel,
} from '@steward/models';
import { requireAllowed, createKeyHider, listClientHeaders } from '@steward/model-calls';
import { isEventStream } from '../answers/is-event-stream.ts';
import { passAnswer, type AnswerEnd, type PassedSource } from '../answers/pass-answer.ts';
import { createCallSignal } from '../call-signal.ts';
import { createAnswerCollector, type AnswerCollector } from '../capture/answer-collector.ts';
import type { ProviderAnswer } from '../call-providers.ts';
import { askProvider, type ResponseRequest } from './ask-provider.ts';
import { unpackCall } from './kept-call.ts';
import type { LookDeps, ResponseLooks } from './look-at-responses.ts';
import { describeOwner } from './response-owner.ts';
import { describeFinal, isFinal } from './response-status.ts';

export interface ResponseDeps extends LookDeps {
  readonly looks: Pick<ResponseLooks, 'look' | 'giveUp'>;
  readonly captureContent: boolean;
}

export interface ResponseCall extends ResponseRequest {
  readonly principal: Principal;
}

const WHOLE_CALL_MS = 3_600_000;

/**
 * Reads, cancels or deletes a background response for its owner; the provider's response is passed on unchanged. If the
 * provider's response shows that the background response has ended, the end is recorded.
 *
 * @throws not_found, model_not_allowed, model_not_found, provider_unreachable, provider_timeout
 */
export async function passResponse(deps: ResponseDeps, call: ResponseCall): Promise<PassedSource> {
  const { principal, responseId } = call;
  const { accountId } = principal;
  const response = await findBackgroundResponse(deps.db, { accountId, responseId, owner: describeOwner(principal) });
  if (response === undefined) {
    const message = 'The caller has no background response with this id.';
    throw new AppError('not_found', { message });
  }
  requireAllowed(principal.keyLimits, response.modelAlias);
  const key = { accountId, id: response.modelId, now: deps.clock.now() };
  const model = await findServedModel(deps.db, key, deps.secretBoxes.model);
  if (model === undefined) throw new AppError('model_not_found', { message: 'The model of the response is deleted.' });
  const ending = createCallSignal(call.signal, WHOLE_CALL_MS);
  try {
    const isLost = call.method === 'DELETE' && response.isOpen && !(await hasEnded(deps, response));
    const answer = await askProvider(deps.pools, model, { ...call, signal: ending.signal });
    return respond(deps, { call, response, model, answer, isLost, release: ending.release });
  } catch (error) {
    ending.release();
    if (ending.isOverTime()) throw new AppError('provider_timeout', { cause: error });
    if (call.signal.aborted) throw new AppError('bad_request', { message: 'The client disconnected.', cause: error });
    throw error;
  }
}

interface Answered {
  readonly call: ResponseCall;
  readonly response: BackgroundResponse;
  readonly model: ServedModel;
  readonly answer: ProviderAnswer;
  /** Whether the response may still have been running when it was deleted, so that its usage can no longer be read. */
  readonly isLost: boolean;
  readonly release: () => void;
}

function respond(deps: ResponseDeps, answered: Answered): PassedSource {
  const { call, response, model, answer, release } = answered;
  const hider = createKeyHider(model.apiKey);
  const sees = response.isOpen && call.tail !== '/input_items' && call.method !== 'DELETE';
  const sizes = response.isOpen ? unpackCall(response.call).sizes : NO_SIZES;
  const collector =
    sees && deps.captureContent ? createAnswerCollector('/responses', isEventStream(answer)) : undefined;
  const { sent } = passAnswer({
    ...{ answer, path: '/responses', ...sizes, leastOutputTokens: sizes.heldOutputTokens, withholdsUsage: false },
    ...{ hider, client: call.signal, onFirstByte: () => undefined, collector, beforeEnd: () => undefined },
    onEnd(end) {
      release();
      if (answer.statusCode >= 300) return;
      if (sees) noteEnd(deps, answered, end, collector);
      else if (call.method === 'DELETE') void forget(deps, answered);
    },
  });
  return {
    status: answer.statusCode,
    headers: { ...listClientHeaders(answer.headers, hider), 'X-Service-Model': model.alias, 'X-Service-Attempts': '1' },
    ...sent,
  };
}

const NO_SIZES = { inputBytes: 0, mostOutputTokens: 0, heldOutputTokens: 0 };

function noteEnd(
  deps: ResponseDeps,
  { call, response, answer }: Answered,
  { kind, responseStatus: status, usage }: AnswerEnd,
  collector: AnswerCollector | undefined,
): void {
  if (kind !== 'ended' || !isFinal(status)) return;
  // A stream that starts in the middle lacks earlier events, so the whole response is requested.
  if (isEventStream(answer) && call.search.includes('starting_after')) {
    void deps.looks.look(response).catch((error: unknown) => noteFailure(deps, response, error));
    return;
  }
  const { head, sizes } = unpackCall(response.call);
  const durationMs = deps.clock.now().getTime() - head.occurredAt.getTime();
  const final = { status, usage, durationMs, heldOutputTokens: sizes.heldOutputTokens };
  deps.background.end(response, { outcome: describeFinal(final), answer: collector });
}

/**
 * Records the response if it has ended or is lost; returns whether the response was recorded. Called before a deletion.
 */
function hasEnded(deps: ResponseDeps, response: BackgroundResponse): Promise<boolean> {
  return deps.looks.look(response).catch((error: unknown) => {
    noteFailure(deps, response, error);
    return false;
  });
}

async function forget(deps: ResponseDeps, { response, isLost }: Answered): Promise<void> {
  if (isLost) deps.looks.giveUp(response, 'background_deleted');
  else await deleteBackgroundResponse(deps.db, response).catch((error: unknown) => noteFailure(deps, response, error));
}

function noteFailure({ logger }: ResponseDeps, { accountId }: BackgroundResponse, error: unknown): void {
  logger.debug('background_response.not_read', { account_id: accountId, error });
}
