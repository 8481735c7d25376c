import { describeBudget } from './budget-words.ts';

const BUDGET = {
  enabled: true,
  hard: true,
  spent_amount: 0,
  reserved_amount: 0,
  limit_amount: 10,
  thresholds_percent: [50, 80],
};

describe('the state of a budget', () => {
  it.each([
    [{}, 'Within the limit'],
    [{ spent_amount: 4.999 }, 'Within the limit'],
    [{ spent_amount: 5 }, 'Nearly spent'],
    [{ spent_amount: 4, reserved_amount: 6 }, 'Fully reserved'],
    [{ spent_amount: 10 }, 'Limit reached: calls are refused'],
    [{ spent_amount: 12, hard: false }, 'Spent'],
    [{ spent_amount: 12, enabled: false }, 'Disabled'],
    [{ limit_amount: 0 }, 'Limit reached: calls are refused'],
  ])('is described for %j as: %s', (facts, word) => {
    expect(describeBudget({ ...BUDGET, ...facts }).word).toBe(word);
  });
});
