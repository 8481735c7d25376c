import type { Clock } from '@steward/async';
import { AppError, type KeyLimits, type Principal } from '@steward/contracts';
import { newId } from '@steward/crypto';
import {
  type ModelCall,
  type ModelCalls,
  isCounting,
  isKept,
  type CallPath,
  beginHead,
  buildUsageRow,
  expectCall,
  guessUnanswered,
  type CallHead,
  type CallOutcome,
  refuseLimited,
} from '@steward/model-calls';
import type { KeptCall } from '../background/kept-call.ts';
import type { AnswerCollector } from '../capture/answer-collector.ts';
import type { CallSession } from '@steward/sessions';
import { keepRequest } from '../capture/captured-call.ts';
import type { CallBody } from '../read-call.ts';
import type { CallLedger } from './call-ledger.ts';
import { endCallSpan, openCallSpan } from './call-span.ts';
import type { CallFacts } from './gather-calls.ts';
import { addLost, wasBegun, type LostAttempt } from './lost-attempts.ts';

export interface CallRecordDeps {
  readonly clock: Clock;
  readonly calls: Pick<ModelCalls, 'begin'>;
  readonly ledger: CallLedger;
  /**
   * Numbers of tokens that are reserved: for the input if the call refers to content outside its body, and for the
   * output if the call sets no limit.
   */
  readonly reserves: { readonly inputTokens: number; readonly outputTokens: number };
  readonly captureContent: boolean;
}

/** Facts about a model for the ledger. */
export type HeldModel = ModelCall['model'];

export interface RecordedCall {
  readonly path: CallPath;
  readonly principal: Principal;
  readonly session: CallSession;
  readonly traceparent: string;
  readonly body: CallBody;
}

type DescribeOutcome = () => Omit<CallOutcome, 'firstByteMs'>;

interface Ending {
  readonly outcome: ReturnType<DescribeOutcome>;
  readonly durationMs: number;
  readonly answer: AnswerCollector | undefined;
  readonly booking: Booking;
}

interface Booking {
  readonly lost?: readonly LostAttempt[];
  /** Status of a background response that continues after the call; undefined for any other call. */
  readonly goesOn?: string;
  readonly onBooked?: (() => Promise<void>) | undefined;
}

function countsTokens({ tokens_per_minute: minute, tokens_per_day: day }: KeyLimits): boolean {
  return minute !== null || day !== null;
}

/** One call in the ledger: its reservation while it is in progress, and finally its outcome, which is recorded once. */
export class CallRecord {
  readonly #deps: CallRecordDeps;
  readonly #call: Omit<RecordedCall, 'body'>;
  readonly #expected: ReturnType<typeof expectCall>;
  readonly #reference: string | undefined;
  /** Stored part of the request; of a large body, only a copy of the beginning is retained. */
  readonly #request: Buffer | undefined;
  readonly #startedAt = performance.now();
  readonly #end: ReturnType<CallLedger['open']>;
  #head: CallHead;
  #model: HeldModel | undefined;
  #span: ReturnType<typeof openCallSpan>;
  #holds = false;
  #hasEnded = false;
  #firstByteMs: number | null = null;
  readonly #lost: LostAttempt[] = [];

  constructor(deps: CallRecordDeps, { body, ...call }: RecordedCall) {
    this.#deps = deps;
    this.#call = call;
    this.#expected = expectCall(call.path, body, deps.reserves);
    this.#reference = body.reference;
    this.#request = deps.captureContent && isKept(call.path) ? keepRequest(body.bytes) : undefined;
    this.#head = beginHead({ ...call, stream: body.isStream }, deps.clock);
    this.#end = deps.ledger.open();
  }

  /**
   * Reserves the maximum cost of the call for the model, in place of its earlier reservation.
   * @throws budget_exceeded, unpriced_model, unsized_call, key_limit_reached
   */
  async hold(model: HeldModel): Promise<void> {
    this.#model = model;
    this.#span = openCallSpan(this.#call.path, model, this.#call.traceparent);
    const outcome = await this.#begin(model);
    if (outcome === undefined || outcome.kind === 'reserved') return;
    if (outcome.kind === 'key_limit_reached') throw refuseLimited(outcome);
    const { kind, reason, budgetId, resetsAt } = outcome;
    const detail = { budget_id: budgetId, ...(resetsAt === undefined ? {} : { resets_at: resetsAt }) };
    throw new AppError(kind, { message: reason + this.#explainReference(kind), detail });
  }

  #explainReference(kind: 'budget_exceeded' | 'unpriced_model' | 'unsized_call'): string {
    if (this.#reference === undefined) return '';
    const counts = `until it ends it is counted as ${this.#deps.reserves.inputTokens} input tokens`;
    return ` The call refers to content that is not in its body ("${this.#reference}")${kind === 'unsized_call' ? '' : `, and ${counts}`}.`;
  }

  /**
   * Switches the call to another model, within the budgets of that model. Returns false if the cost cannot be reserved.
   */
  async moveTo(model: HeldModel): Promise<boolean> {
    const outcome = await this.#begin(model);
    if (outcome !== undefined && outcome.kind !== 'reserved') return false;
    this.#model = model;
    return true;
  }

  noteFirstByte(): void {
    this.#firstByteMs ??= performance.now() - this.#startedAt;
  }

  /**
   * Notes that a provider may have received the call, but did not respond. @param durationMs - duration of this attempt
   */
  noteUnanswered(durationMs: number): void {
    const model = this.#model;
    if (model === undefined) return;
    this.#lost.push({ model, durationMs, usage: guessUnanswered(this.#expected, model, durationMs) });
  }

  /** Ends the call without a response; a call that was never sent costs nothing. */
  fail({ status, errorClass }: Pick<CallOutcome, 'status' | 'errorClass'>): void {
    const last = this.#lost.pop();
    this.#model = last?.model ?? this.#model;
    this.#book(() => ({ status, errorClass, usage: last?.usage }), undefined, { lost: this.#lost });
  }

  /** Ends a call that the gateway refused; nothing was sent. */
  refuse(error: unknown): void {
    const errorClass = error instanceof AppError ? error.code : 'internal';
    const status = errorClass === 'internal' ? 'error' : 'refused';
    this.end(() => ({ status, errorClass, usage: undefined }), undefined);
  }

  /**
   * Ends the call with its outcome.
   * @param describe - returns the outcome; called once, possibly some time after the response
   * @param answer - the stored part of the response
   */
  end(describe: DescribeOutcome, answer: AnswerCollector | undefined, onBooked?: () => Promise<void>): void {
    this.#book(describe, answer, { lost: this.#lost.filter(wasBegun), onBooked });
  }

  /** Returns the data for the usage row of the call, for the process that detects the end of a background response. */
  describe(model: HeldModel): Pick<KeptCall, 'head' | 'model' | 'lost'> {
    const { id, alias, provider, price, maxOutputTokens } = model;
    return {
      head: this.#head,
      model: { id, alias, provider, price, maxOutputTokens },
      lost: this.#lost.filter(wasBegun),
    };
  }

  /**
   * Ends a call in this process although its background response continues. The content of the call is stored now; the
   * process that detects the end of the background response records the call.
   */
  leave(status: string, answer: AnswerCollector | undefined): void {
    this.#book(() => ({ status: 'ok', errorClass: null, usage: undefined }), answer, { goesOn: status });
  }

  #book(describe: DescribeOutcome, answer: AnswerCollector | undefined, booking: Booking): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const durationMs = performance.now() - this.#startedAt;
    const describeCall = () => this.#describeEnd({ outcome: describe(), durationMs, answer, booking });
    const { accountId } = this.#head;
    if (this.#span === undefined) return this.#end({ accountId, describe: describeCall });
    const facts = describeCall();
    endCallSpan(this.#span, facts.row);
    this.#end({ accountId, describe: () => facts });
  }

  #describeEnd({ outcome, durationMs, answer, booking: { lost = [], goesOn, onBooked } }: Ending): CallFacts {
    const { principal, session, traceparent, path } = this.#call;
    const [head, model] = [this.#head, this.#model];
    const facts = { head, model, durationMs, firstByteMs: this.#firstByteMs };
    const row = isCounting(path)
      ? buildUsageRow({ ...outcome, ...facts, usage: undefined })
      : addLost(buildUsageRow({ ...outcome, ...facts }), lost);
    const isStored = outcome.status !== 'refused' && model !== undefined && isKept(path);
    const how = { goesOn: goesOn !== undefined, ...(onBooked === undefined ? {} : { onBooked }) };
    if (!isStored) return { row, principal, session: undefined, captured: undefined, ...how };
    const captured = {
      ...{ id: row.id, principal, traceparent, occurredAt: row.occurredAt, status: goesOn ?? row.status },
      ...{ inputTokens: row.inputTokens, outputTokens: row.outputTokens },
      costUsd: goesOn === undefined ? row.costUsd : null,
      modelAlias: model.alias,
      providerName: model.provider,
      request: this.#request,
      answer,
    };
    return { row, principal, session, captured, ...how };
  }

  /** Reserves the cost of the call for the model. Returns undefined for a call that costs nothing. */
  async #begin(model: HeldModel) {
    if (isCounting(this.#call.path)) return undefined;
    const former = this.#head;
    const head = this.#holds ? { ...former, id: newId() } : former;
    const replaces = this.#holds ? former.id : undefined;
    const settle = () => this.#deps.ledger.settle(head.accountId);
    const { keyLimits, revisions } = this.#call.principal;
    // Reserved tokens are an estimate: calls that have just ended are settled first, so that their real counts apply.
    if (keyLimits?.some(countsTokens) === true) await settle();
    const call = { ...head, model, expected: this.#expected, keyLimits, budgetsRevision: revisions?.budgets };
    const outcome = await this.#deps.calls.begin(call, { replaces, settle });
    if (outcome.kind !== 'reserved') return outcome;
    this.#head = { ...head, occurredAt: outcome.occurredAt };
    this.#holds = true;
    return outcome;
  }
}
