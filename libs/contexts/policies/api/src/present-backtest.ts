import type { AnswerBody } from '@steward/http';
import type { Backtest } from '@steward/policies';
import type { BacktestAnswer } from './backtest-schemas.ts';

export function presentBacktest(backtest: Backtest): AnswerBody<typeof BacktestAnswer> {
  const { allowed, denied, held, counts } = backtest;
  return {
    id: backtest.id,
    status: backtest.status,
    version: backtest.version,
    compared_with: backtest.hasDocument ? 'version' : 'recorded',
    since: backtest.since,
    until: backtest.until,
    limit: backtest.limit,
    examined: backtest.examined,
    without_arguments: backtest.withoutArguments,
    examined_back_to: backtest.examinedBackTo,
    decisions: { allow: allowed, deny: denied, require_approval: held },
    decisions_before: counts === null ? null : counts.before,
    rules: counts === null ? null : [...counts.rules],
    changed: backtest.changed,
    changed_examples: [...backtest.examples],
    error: backtest.failure,
    created_at: backtest.createdAt,
    finished_at: backtest.finishedAt,
  };
}
