import type { Clock } from '@steward/async';
import { AppError } from '@steward/contracts';
import { beginTrace } from '@steward/crypto';
import { transact, type DueTasks } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import {
  claimReview,
  DUE_REVIEWS,
  settleReview,
  type AiVerdict,
  type ClaimedReview,
  type ReviewingModel,
} from '@steward/approvals';
import { listLastContent, type ContentObjects } from '@steward/sessions';
import { type SecretBoxes, readApprovalOptions } from '@steward/api';
import type { ApprovalsDeps } from '../approvals-deps.ts';
import { type AskedModels, askModel, findReviewModel, type AskModelDeps } from '@steward/model-calls';
import { MAX_ARGUMENT_BYTES, writeReviewPrompt } from './review-prompt.ts';
import { readVerdict } from './read-verdict.ts';

export type ReviewDeps = ApprovalsDeps & {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly askedModels: AskedModels;
  readonly secretBoxes: Pick<SecretBoxes, 'model'>;
  /** Object store with large messages; undefined if the deployment has none. */
  readonly contentObjects: ContentObjects | undefined;
};

/** Maximum number of concurrent reviews per process; a review mostly waits for a provider. */
const MAX_REVIEWS = 8;
const MAX_MESSAGES = 10;
const MAX_MESSAGE_LENGTH = 4_000;

type AskingDeps = ReviewDeps & AskModelDeps;

/**
 * Creates the task that asks models about requests if the workflow requires this. Every process with the API runs it;
 * each request is claimed by one process. If a process stops before it has completed a review, people are asked after
 * the timeout of the review.
 */
export function createReviewLoop(given: ReviewDeps & { readonly dueTasks: DueTasks }): Component {
  const deps: AskingDeps = { ...given, ...given.askedModels };
  const open = new Set<Promise<void>>();
  const stopping = new AbortController();
  const task = given.dueTasks.add({
    name: 'approval reviews',
    due: DUE_REVIEWS,
    run: async (signal) => {
      while (!signal.aborted && open.size < MAX_REVIEWS) {
        const committer = { ...deps, traceparent: beginTrace() };
        const claimed = await transact(committer, (trx, hints) => claimReview(trx, hints, readApprovalOptions(deps)));
        if (claimed === undefined) return;
        if (claimed === 'given_up') continue;
        const review = runReview(deps, claimed, stopping.signal)
          .catch((error: unknown) => given.logger.warn('approvals.review_failed', { ...nameRequest(claimed), error }))
          .finally(() => open.delete(review));
        open.add(review);
      }
    },
  });
  return {
    ...task,
    async stop() {
      stopping.abort();
      await task.stop?.();
      await Promise.all(open);
    },
  };
}

async function runReview(deps: AskingDeps, claimed: ClaimedReview, stopping: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(claimed.remainingMs)]);
  const { verdict, model } = await judge(deps, claimed, signal);
  // This process is stopping: after the timeout, any process asks people instead.
  if (stopping.aborted && model === undefined) return;
  const committer = { ...deps, traceparent: beginTrace() };
  const settled = { key: claimed.request, verdict, model };
  const hasDecided = await transact(committer, (trx, hints) =>
    settleReview(trx, hints, settled, readApprovalOptions(deps)),
  );
  const { decision, confidence } = verdict;
  deps.logger.info('approvals.reviewed', { ...nameRequest(claimed), decision, confidence, has_decided: hasDecided });
}

interface Judgement {
  readonly verdict: AiVerdict;
  /** Model that returned the verdict; undefined if none did. */
  readonly model: ReviewingModel | undefined;
}

/** Asks the model for a verdict. If there is any error, people are asked. */
async function judge(deps: AskingDeps, claimed: ClaimedReview, signal: AbortSignal): Promise<Judgement> {
  const { request, workflow } = claimed;
  const { accountId, runtimeSessionId: sessionId } = request;
  if (Buffer.byteLength(JSON.stringify(request.arguments)) > MAX_ARGUMENT_BYTES)
    return giveUp('The arguments are too large for a model.');
  try {
    const model = await findReviewModel(deps, { accountId, id: workflow.aiModelId ?? '' });
    const last = { limit: MAX_MESSAGES, maxLength: MAX_MESSAGE_LENGTH };
    const messages =
      sessionId === null ? [] : await listLastContent(deps.db, { accountId, sessionId, ...last }, deps.contentObjects);
    const prompt = writeReviewPrompt(request, workflow.aiGuidelines, messages);
    const verdict = readVerdict(await askModel(deps, { accountId, model, prompt }, signal));
    if (verdict === undefined) return giveUp('The response of the model contained no decision.');
    return { verdict, model };
  } catch (error) {
    deps.logger.info('approvals.review_given_up', { ...nameRequest(claimed), error });
    return giveUp(`No model made a decision: ${error instanceof AppError ? error.code : 'internal error'}.`);
  }
}

function giveUp(reason: string): Judgement {
  return { verdict: { decision: null, confidence: null, reason }, model: undefined };
}

function nameRequest({ request }: ClaimedReview) {
  return { account_id: request.accountId, approval_request_id: request.id };
}
