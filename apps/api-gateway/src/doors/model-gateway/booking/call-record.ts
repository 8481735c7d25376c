import type { Clock } from '@steward/async';
import { AppError, type Principal } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { ModelCalls } from '@steward/model-calls';
import type { ServedModel } from '@steward/slice-models';
import type { CallPath } from '../call-path.ts';
import type { AnswerCollector } from '../capture/answer-collector.ts';
import type { CallSession } from '../capture/call-session.ts';
import { keepRequest } from '../capture/captured-call.ts';
import type { CallBody } from '../read-call.ts';
import type { CallBooks } from './call-books.ts';
import {
  buildUsageRow,
  describeCaller,
  expectCall,
  isCounting,
  type CallHead,
  type CallOutcome,
} from './call-facts.ts';

export interface CallRecordDeps {
  readonly clock: Clock;
  readonly calls: Pick<ModelCalls, 'begin'>;
  readonly books: CallBooks;
  readonly reserveOutputTokens: number;
  readonly captureContent: boolean;
}

export interface RecordedCall {
  readonly path: CallPath;
  readonly principal: Principal;
  readonly session: CallSession;
  readonly traceparent: string;
  readonly body: CallBody;
}

/** One call in the books: what it holds while it is under way, and, once, what became of it. */
export class CallRecord {
  readonly #deps: CallRecordDeps;
  readonly #call: Omit<RecordedCall, 'body'>;
  readonly #expected: ReturnType<typeof expectCall>;
  /** Not the body itself, which may be large. */
  readonly #request: Buffer | undefined;
  readonly #startedAt = performance.now();
  readonly #end: ReturnType<CallBooks['open']>;
  #head: CallHead;
  #model: ServedModel | undefined;
  #hasEnded = false;
  #firstByteMs: number | null = null;

  constructor(deps: CallRecordDeps, { body, ...call }: RecordedCall) {
    this.#deps = deps;
    this.#call = call;
    this.#expected = expectCall(call.path, body, deps.reserveOutputTokens);
    this.#request = deps.captureContent && !isCounting(call.path) ? keepRequest(body.bytes) : undefined;
    this.#head = {
      ...describeCaller(call.principal),
      id: newId(),
      occurredAt: deps.clock.now(),
      endpoint: call.path.slice(1),
      stream: body.isStream,
    };
    this.#end = deps.books.open();
  }

  /** @throws budget_exceeded, unpriced_model */
  async hold(model: ServedModel): Promise<void> {
    this.#model = model;
    if (isCounting(this.#call.path)) return;
    const outcome = await this.#begin(this.#head, model);
    if (outcome.kind === 'reserved') {
      this.#head = { ...this.#head, occurredAt: outcome.occurredAt };
      return;
    }
    const { kind, reason, budgetId, resetsAt } = outcome;
    const detail = { budget_id: budgetId, ...(resetsAt === undefined ? {} : { resets_at: resetsAt }) };
    throw new AppError(kind, { message: reason, detail });
  }

  /** Another model takes the call over, within budgets of its own; what the former held is given back. */
  async moveTo(model: ServedModel): Promise<boolean> {
    if (isCounting(this.#call.path)) {
      this.#model = model;
      return true;
    }
    const head = { ...this.#head, id: newId() };
    const outcome = await this.#begin(head, model, this.#head.id);
    if (outcome.kind !== 'reserved') return false;
    this.#head = { ...head, occurredAt: outcome.occurredAt };
    this.#model = model;
    return true;
  }

  noteFirstByte(): void {
    this.#firstByteMs ??= performance.now() - this.#startedAt;
  }

  /** Refused by us: nothing was sent. */
  refuse(error: unknown): void {
    const errorClass = error instanceof AppError ? error.code : 'internal';
    this.end({ status: errorClass === 'internal' ? 'error' : 'refused', errorClass, usage: undefined }, undefined);
  }

  /** @param answer - What was kept of it. */
  end(outcome: Omit<CallOutcome, 'firstByteMs'>, answer: AnswerCollector | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const { principal, session, traceparent, path } = this.#call;
    const [head, model] = [this.#head, this.#model];
    const durationMs = performance.now() - this.#startedAt;
    const counted = isCounting(path) ? { ...outcome, usage: undefined } : outcome;
    const row = buildUsageRow({ ...counted, head, model, durationMs, firstByteMs: this.#firstByteMs });
    const isStored = outcome.status !== 'refused' && model !== undefined && !isCounting(path);
    if (!isStored) return this.#end({ row, principal, session: undefined, captured: undefined });
    const captured = {
      ...{ id: row.id, principal, session, traceparent, occurredAt: row.occurredAt, status: row.status },
      ...{ inputTokens: row.inputTokens, outputTokens: row.outputTokens, costUsd: row.costUsd },
      modelAlias: model.alias,
      providerName: model.provider,
      request: this.#request,
      answer,
    };
    this.#end({ row, principal, session, captured });
  }

  #begin(head: CallHead, model: ServedModel, replaces?: string) {
    const settle = () => this.#deps.books.settle(head.accountId);
    return this.#deps.calls.begin({ ...head, model, expected: this.#expected }, { replaces, settle });
  }
}
