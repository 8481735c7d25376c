import { createTurns, type Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import type { ProviderPools } from '@steward/egress';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import {
  claimLooks,
  findServedModel,
  noteMiss,
  purgeBackgroundResponses,
  type BackgroundResponse,
  type ServedModel,
} from '@steward/models';
import type { SecretBoxes } from '@steward/api';
import { createKeyHider, createUsageReader, estimate } from '@steward/model-calls';
import { createAnswerCollector } from '../capture/answer-collector.ts';
import type { ProviderAnswer } from '../call-providers.ts';
import { askProvider } from './ask-provider.ts';
import { FIRST_LOOK_SECONDS, MAX_AGE_SECONDS, type BackgroundResponses } from './background-responses.ts';
import { unpackCall } from './kept-call.ts';
import { describeFinal, isFinal } from './response-status.ts';

export interface LookDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly secretBoxes: Pick<SecretBoxes, 'model'>;
  readonly pools: Pick<ProviderPools, 'choose'>;
  readonly background: Pick<BackgroundResponses, 'end'>;
}

/** Detects the end of background responses, even if their clients no longer poll for them. */
export interface ResponseLooks {
  /**
   * Asks the provider for the state of a response, and records the response if it has ended or is lost; returns whether
   * the response was recorded.
   */
  look(response: BackgroundResponse): Promise<boolean>;
  /** Records a response with its reserved amount, because the provider is no longer expected to report the end. */
  giveUp(response: BackgroundResponse, errorClass: string): true;
  readonly component: Component;
}

const EVERY_SECONDS = 5;
const MOST_BETWEEN_SECONDS = 600;
const AT_ONCE = 4;
const BATCH = 32;
const LOOK_MS = 60_000;
/** Number of times that a provider has to report a response as unknown before the response is recorded as lost. */
const MAX_MISSES = 3;
/** Time for which providers retain responses. */
const KEEP_DAYS = 30;

export function createResponseLooks(deps: LookDeps): ResponseLooks {
  const { db, clock, background } = deps;
  const turns = createTurns(AT_ONCE);

  function giveUp(response: BackgroundResponse, errorClass: string): true {
    const { sizes } = unpackCall(response.call);
    const counts = estimate({ ...sizes, leastOutputTokens: sizes.heldOutputTokens }, 0);
    const outcome = { status: 'error', errorClass, usage: { counts, source: 'estimated' } } as const;
    background.end(response, { outcome, answer: undefined });
    return true;
  }

  async function readAnswer(
    response: BackgroundResponse,
    model: ServedModel,
    answer: ProviderAnswer,
  ): Promise<boolean> {
    const { head, sizes } = unpackCall(response.call);
    const reader = createUsageReader({
      ...{ path: '/responses', isStream: false, ...sizes },
      leastOutputTokens: sizes.heldOutputTokens,
    });
    const collector = createAnswerCollector('/responses', false);
    const hider = createKeyHider(model.apiKey);
    const take = (chunk: Buffer): void => {
      reader.read(chunk);
      collector.addChunk(chunk);
    };
    for await (const chunk of answer.body as AsyncIterable<Buffer>) take(hider?.pass(chunk) ?? chunk);
    if (hider !== undefined) take(hider.end());
    const { responseStatus: status } = reader;
    if (!isFinal(status)) return false;
    const durationMs = clock.now().getTime() - head.occurredAt.getTime();
    const final = { status, usage: reader.count(true), durationMs, heldOutputTokens: sizes.heldOutputTokens };
    background.end(response, { outcome: describeFinal(final), answer: collector });
    return true;
  }

  async function look(response: BackgroundResponse): Promise<boolean> {
    const { accountId, modelId: id, responseId } = response;
    const model = await findServedModel(db, { accountId, id, now: clock.now() }, deps.secretBoxes.model);
    // The key of the model was deleted with the model, so the provider cannot be asked.
    if (model === undefined) return giveUp(response, 'background_lost');
    const request = { method: 'GET', responseId, tail: '', search: '', headers: {} } as const;
    const answer = await askProvider(deps.pools, model, { ...request, signal: AbortSignal.timeout(LOOK_MS) });
    if (answer.statusCode === 200) return readAnswer(response, model, answer);
    answer.body.on('error', () => undefined).resume();
    const isMiss = answer.statusCode === 404 || answer.statusCode === 410;
    return isMiss && (await noteMiss(db, response)) >= MAX_MISSES ? giveUp(response, 'background_lost') : false;
  }

  async function lookInTurn(response: BackgroundResponse): Promise<void> {
    const hasEnded = await turns
      .run(() => look(response))
      .catch((error: unknown) => {
        deps.logger.debug('background_response.not_read', { account_id: response.accountId, error });
        return false;
      });
    const ageMs = clock.now().getTime() - response.createdAt.getTime();
    if (!hasEnded && ageMs > MAX_AGE_SECONDS * 1000) giveUp(response, 'background_lost');
  }

  return {
    look,
    giveUp,
    component: createBackgroundTask({
      name: 'responses in the background',
      everySeconds: EVERY_SECONDS,
      startsLate: true,
      logger: deps.logger,
      run: (signal) => lookAtDue(deps, lookInTurn, signal),
    }),
  };
}

/** Checks all responses that are due, and deletes the rows of responses that providers no longer retain. */
async function lookAtDue(
  { db, clock }: LookDeps,
  look: (response: BackgroundResponse) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  const bounds = { limit: BATCH, least: FIRST_LOOK_SECONDS, most: MOST_BETWEEN_SECONDS };
  for (let claimed = BATCH; claimed === BATCH && !signal.aborted;) {
    const due = await claimLooks(db, { now, ...bounds });
    claimed = due.length;
    await Promise.all(due.map(look));
  }
  await purgeBackgroundResponses(db, new Date(now.getTime() - KEEP_DAYS * 86_400_000));
}
