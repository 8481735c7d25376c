import { fromPico, toPico } from '@steward/money';
import { costOf, type UsageRow } from '@steward/slice-models';
import type { ModelCall } from '@steward/model-calls';
import type { CallOutcome } from './call-facts.ts';

/** An attempt of a call that a provider may have had, and that was not heard of again: it may be charged. */
export interface LostAttempt {
  readonly model: ModelCall['model'];
  readonly durationMs: number;
  readonly usage: NonNullable<CallOutcome['usage']>;
}

/** What breaks off sooner was hardly begun: a connection that was closed while it was taken, for example. */
const BEGUN_AFTER_MS = 1000;

/** Whether a lost attempt of a call that was answered after all had begun. */
export function wasBegun({ durationMs }: Pick<LostAttempt, 'durationMs'>): boolean {
  return durationMs >= BEGUN_AFTER_MS;
}

/** The row of a call with what its other attempts took, each at the price of the model that was asked. */
export function addLost(row: UsageRow, lost: readonly LostAttempt[]): UsageRow {
  return lost.reduce((sum, { model, usage: { counts } }): UsageRow => {
    const costs = [sum.costUsd, costOf(model.price, counts)].filter((cost) => cost !== null);
    return {
      ...sum,
      inputTokens: (sum.inputTokens ?? 0) + counts.inputTokens,
      cachedInputTokens: sum.cachedInputTokens ?? 0,
      outputTokens: (sum.outputTokens ?? 0) + counts.outputTokens,
      costUsd: costs.length === 0 ? null : fromPico(costs.reduce((pico, cost) => pico + toPico(cost), 0n)),
      usageSource: 'estimated',
    };
  }, row);
}
