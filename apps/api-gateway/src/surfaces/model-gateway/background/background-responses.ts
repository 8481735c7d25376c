import type { Clock } from '@steward/async';
import type { Principal } from '@steward/contracts';
import { transact, type AnyDatabase, retryDatabase } from '@steward/database';
import { type ModelCalls, buildUsageRow, type CallOutcome } from '@steward/model-calls';
import type { Logger } from '@steward/process';
import {
  closeBackgroundResponse,
  insertBackgroundResponse,
  requireBackgroundQuota,
  type BackgroundResponse,
  type ServedModel,
} from '@steward/models';
import type { CallLedger } from '../booking/call-ledger.ts';
import type { CallRecord } from '../booking/call-record.ts';
import { addLost } from '../booking/lost-attempts.ts';
import type { AnswerEnd } from '../answers/pass-answer.ts';
import type { AnswerCollector } from '../capture/answer-collector.ts';
import type { CallSession, FindSession } from '@steward/sessions';
import type { ProviderAnswer } from '../call-providers.ts';
import { packCall, unpackCall, type KeptCall, type KeptSizes } from './kept-call.ts';
import { readResponseId } from './read-response-id.ts';
import { describeOwner } from './response-owner.ts';
import { describeFinal, isFinal } from './response-status.ts';

export interface BackgroundDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly calls: Pick<ModelCalls, 'park'>;
  readonly ledger: CallLedger;
  readonly findSession: FindSession;
  readonly captureContent: boolean;
}

export interface BegunResponse {
  readonly answer: ProviderAnswer;
  readonly model: ServedModel;
  readonly record: CallRecord;
  readonly sizes: KeptSizes;
  readonly principal: Principal;
  readonly session: CallSession;
  readonly traceparent: string;
}

export interface ResponseEnd {
  readonly outcome: Omit<CallOutcome, 'firstByteMs'>;
  /** Collects the part of the response that is stored; undefined if nothing is stored. */
  readonly answer: AnswerCollector | undefined;
}

/** Responses that continue at their providers after their calls were answered (GW-18). */
export interface BackgroundResponses {
  /** Checks that the account of the caller may start another background response. @throws quota_reached */
  requireQuota(principal: Principal): Promise<void>;
  /**
   * Stores the owner of a response, and the data for its usage row, before the client gets the id of the response.
   * `kept` is undefined if the provider returns no id, or if the data could not be stored: the response is then
   * recorded with its call.
   */
  keep(begun: BegunResponse): Promise<{ readonly answer: ProviderAnswer; readonly kept: KeptResponse | undefined }>;
  /**
   * Records a response whose end was detected. Each response is recorded only once, even if its end is detected
   * repeatedly or by several processes.
   */
  end(response: BackgroundResponse, end: ResponseEnd): void;
}

export interface KeptResponse {
  /**
   * Called when the response to the call has ended: the call is recorded now if the background response has ended, too,
   * and otherwise when the end of the background response is detected.
   */
  readonly end: (end: Pick<AnswerEnd, 'responseStatus' | 'usage'>, answer: AnswerCollector | undefined) => void;
}

/** After this time, a response whose end has not been detected is recorded with its reserved amount (LIM-88). */
export const MAX_AGE_SECONDS = 86_400;
/**
 * Lifetime of the reservation, longer than `MAX_AGE_SECONDS`, because otherwise the reservation would be considered
 * orphaned.
 */
const HELD_SECONDS = MAX_AGE_SECONDS + 3_600;
export const FIRST_LOOK_SECONDS = 15;
const KEEP_DELAYS_MS = [100, 1000];

export function createBackgroundResponses(deps: BackgroundDeps): BackgroundResponses {
  const { db, clock, logger } = deps;

  /** Ids of the calls whose end this process is recording: a statement must not write the same row twice. */
  const ending = new Set<string>();
  function claim(callId: string): boolean {
    if (ending.has(callId)) return false;
    ending.add(callId);
    return true;
  }
  async function close(response: Pick<BackgroundResponse, 'accountId' | 'callId'>): Promise<void> {
    await closeBackgroundResponse(db, response);
    ending.delete(response.callId);
  }

  async function insert(begun: BegunResponse, responseId: string): Promise<KeptResponse> {
    const { model, record, sizes, principal, session, traceparent } = begun;
    const { accountId } = principal;
    const sessionId = await deps.findSession(principal, session);
    const call: KeptCall = {
      ...record.describe(model),
      ...{ sizes, sessionId, traceparent },
      principal: { accountId, apiKeyId: principal.apiKeyId },
    };
    const createdAt = clock.now();
    const response = {
      ...{ accountId, callId: call.head.id, responseId, createdAt },
      ...{ owner: describeOwner(principal), modelId: model.id, modelAlias: model.alias, call: packCall(call) },
      nextLookAt: new Date(createdAt.getTime() + FIRST_LOOK_SECONDS * 1000),
    };
    await retryDatabase(() => insertBackgroundResponse(db, response), KEEP_DELAYS_MS);
    await retryDatabase(() => deps.calls.park(call.head, HELD_SECONDS), KEEP_DELAYS_MS);
    return {
      end({ responseStatus: status, usage }, answer) {
        if (!isFinal(status) || !claim(call.head.id)) return record.leave(status ?? 'in_progress', answer);
        const durationMs = clock.now().getTime() - call.head.occurredAt.getTime();
        const final = { status, usage, durationMs, heldOutputTokens: sizes.heldOutputTokens };
        record.end(
          () => describeFinal(final),
          answer,
          () => close(response),
        );
      },
    };
  }

  return {
    requireQuota: ({ accountId }) => transact({ db }, (trx) => requireBackgroundQuota(trx, accountId)),
    async keep(begun) {
      const { id, answer } = await readResponseId(begun.answer);
      if (id === undefined) return { answer, kept: undefined };
      const kept = await insert(begun, id).catch((error: unknown) => {
        logger.error('background_response.not_kept', { account_id: begun.principal.accountId, error });
        return undefined;
      });
      return { answer, kept };
    },
    end(response, { outcome, answer }) {
      if (!claim(response.callId)) return;
      const { head, model, lost, principal, sessionId, traceparent } = unpackCall(response.call);
      const durationMs = Math.max(0, clock.now().getTime() - head.occurredAt.getTime());
      const row = addLost(buildUsageRow({ head, model, ...outcome, durationMs, firstByteMs: null }), lost);
      const session = sessionId === null ? undefined : ({ kind: 'known', sessionId } as const);
      const isStored = session !== undefined && answer !== undefined && deps.captureContent;
      const captured = {
        ...{ id: `${row.id}:end`, principal, traceparent, occurredAt: clock.now(), status: row.status },
        request: undefined,
        ...{ inputTokens: row.inputTokens, outputTokens: row.outputTokens, costUsd: row.costUsd, answer },
        ...{ modelAlias: model.alias, providerName: model.provider },
      };
      const facts = {
        ...{ row, principal, session, captured: isStored ? captured : undefined },
        onBooked: () => close(response),
      };
      deps.ledger.open()({ accountId: head.accountId, describe: () => facts });
    },
  };
}
