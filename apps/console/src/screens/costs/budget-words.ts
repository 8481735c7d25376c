import type { Budget } from '../../api/answers.ts';
import type { Tone } from '../../ui/status-badge.tsx';

export const SCOPES: Readonly<Record<Budget['scope'], string>> = {
  account: 'Account',
  managed_agent: 'Agent',
  api_key: 'API key',
  flow: 'Flow',
};

export const PERIODS: Readonly<Record<Budget['period'], string>> = {
  hourly: 'Hour',
  daily: 'Day',
  weekly: 'Week',
  monthly: 'Month',
  yearly: 'Year',
  all_time: 'All time',
};

/** Describes the current state of a budget. */
export function describeBudget(
  budget: Pick<Budget, 'enabled' | 'hard' | 'spent_amount' | 'reserved_amount' | 'limit_amount' | 'thresholds_percent'>,
): { readonly tone: Tone; readonly word: string } {
  const { spent_amount: spent, reserved_amount: reserved, limit_amount: limit } = budget;
  if (!budget.enabled) return { tone: 'none', word: 'Disabled' };
  if (spent >= limit) return { tone: 'bad', word: budget.hard ? 'Limit reached: calls are refused' : 'Spent' };
  if (spent + reserved >= limit) return { tone: 'warn', word: 'Fully reserved' };
  if (budget.thresholds_percent.some((percent) => spent * 100 >= limit * percent))
    return { tone: 'warn', word: 'Nearly spent' };
  return { tone: 'ok', word: 'Within the limit' };
}
