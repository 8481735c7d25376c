import type { ModelCalls } from '@steward/model-calls';
import type { Logger } from '@steward/process';
import type { UsageRow } from '@steward/models';
import type { FindSession } from '@steward/sessions';
import type { CaptureQueue } from '../capture/capture-queue.ts';
import { createGatherCalls, type CallFacts, type EndedCall } from './gather-calls.ts';

export interface CallLedgerDeps {
  readonly calls: Pick<ModelCalls, 'end'>;
  readonly findSession: FindSession;
  readonly captures: CaptureQueue;
  readonly logger: Logger;
  /** Called once for each call that ended. */
  readonly observe: (row: UsageRow) => void;
}

/** Records completed calls and stores their content, after their responses. */
export interface CallLedger {
  /**
   * Records that a call has begun; a shutdown waits for the end of the call.
   * @returns a function that must be called once: with the ended call, or with undefined if nothing is to be recorded
   */
  open(): (ended: EndedCall | undefined) => void;
  /** Resolves when the ended calls of the account are recorded. */
  settle(accountId: string): Promise<void>;
  waitForCapacity(): Promise<void> | undefined;
  /** Resolves when all opened calls are recorded and stored. */
  drain(): Promise<void>;
}

export function createCallLedger(deps: CallLedgerDeps): CallLedger {
  const open = new Set<Promise<void>>();
  const ending = new Set<{ readonly accountId: string; readonly booked: Promise<void> }>();
  const gather = createGatherCalls();

  async function end(call: EndedCall): Promise<void> {
    let isBooked: () => void = () => undefined;
    const { accountId } = call;
    const one = { accountId, booked: new Promise<void>((resolve) => (isBooked = resolve)) };
    ending.add(one);
    try {
      const storing = await book(await gather(call));
      isBooked();
      await storing();
    } finally {
      ending.delete(one);
      isBooked();
    }
  }

  /**
   * Records a call that ended.
   * @returns a function that returns a promise for the storage of the content, or undefined if no content is stored
   */
  async function book({
    row,
    principal,
    session,
    captured,
    goesOn,
    onBooked,
  }: CallFacts): Promise<() => Promise<void> | undefined> {
    const sessionId = session === undefined ? null : await deps.findSession(principal, session);
    const storing = captured === undefined || sessionId === null ? undefined : deps.captures.add(captured, sessionId);
    if (goesOn === true) return () => storing;
    try {
      await deps.calls.end({ ...row, runtimeSessionId: sessionId });
      await onBooked?.();
    } catch (error) {
      // The call stays unrecorded, and its reservation continues to count as spend.
      deps.logger.error('model_call.not_booked', { ...nameRow(row), error });
    }
    deps.observe(row);
    return () => storing;
  }

  return {
    open() {
      const { promise: booked, resolve } = Promise.withResolvers<void>();
      open.add(booked);
      const close = (): void => {
        open.delete(booked);
        resolve();
      };
      return (ended) => {
        if (ended === undefined) return close();
        void end(ended)
          .catch((error: unknown) => deps.logger.error('model_call.not_booked', { error }))
          .finally(close);
      };
    },
    async settle(accountId) {
      await Promise.all([...ending].filter((one) => one.accountId === accountId).map(({ booked }) => booked));
    },
    waitForCapacity: () => deps.captures.waitForCapacity(),
    async drain() {
      while (open.size > 0) await Promise.all(open);
      await deps.captures.drain();
    },
  };
}

function nameRow({ id, accountId, modelAlias, status, costUsd }: UsageRow) {
  return { call_id: id, account_id: accountId, model_alias: modelAlias, status, cost_usd: costUsd };
}
