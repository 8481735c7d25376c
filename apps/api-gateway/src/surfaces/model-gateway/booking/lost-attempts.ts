import { fromPico, toPico } from '@steward/money';
import { costOf, type UsageRow } from '@steward/models';
import type { ModelCall, CallOutcome } from '@steward/model-calls';

/** An attempt that a provider may have received and may bill, although it did not respond. */
export interface LostAttempt {
  readonly model: ModelCall['model'];
  readonly durationMs: number;
  readonly usage: NonNullable<CallOutcome['usage']>;
}

/**
 * Minimum duration of a lost attempt of a call that finally got a response. An attempt that failed sooner is not
 * counted: for example, its connection may have been closed while being opened.
 */
const BEGUN_AFTER_MS = 1000;

/** Returns whether the provider may have started processing a lost attempt of a call that finally got a response. */
export function wasBegun({ durationMs }: Pick<LostAttempt, 'durationMs'>): boolean {
  return durationMs >= BEGUN_AFTER_MS;
}

/** Adds the usage of the lost attempts to the row of a call, each at the price of its model. */
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
