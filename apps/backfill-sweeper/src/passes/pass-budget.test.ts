import { createPassBudget } from './pass-budget.ts';

const limits = { maxRowsPerPass: 10, maxRowsPerAccount: 4, maxSeconds: 60 };

describe('the limits of a pass', () => {
  it('stop an account at its own limit and give the next one its full limit', () => {
    const budget = createPassBudget(limits, () => 0);
    budget.startAccount();
    budget.spend(4);
    expect(budget.exhausted()).toBe('account_rows');
    budget.startAccount();
    expect(budget.exhausted()).toBeUndefined();
  });

  it('stop the pass at the total limit, even if an account has rows left', () => {
    const budget = createPassBudget(limits, () => 0);
    for (let account = 0; account < 3; account += 1) {
      budget.startAccount();
      budget.spend(4);
    }
    budget.startAccount();
    expect(budget.exhausted()).toBe('pass_rows');
    expect(budget.rows).toBe(12);
  });

  it('stop when the time is over, even if nothing was written', () => {
    let seconds = 59;
    const budget = createPassBudget(limits, () => seconds);
    expect(budget.exhausted()).toBeUndefined();
    seconds = 60;
    expect(budget.exhausted()).toBe('pass_seconds');
  });

  it('report the rows left for the account and the pass, never below zero', () => {
    const budget = createPassBudget(limits, () => 0);
    budget.startAccount();
    expect(budget.left()).toBe(4);
    budget.spend(3);
    expect(budget.left()).toBe(1);
    budget.spend(5);
    expect(budget.left()).toBe(0);
    budget.startAccount();
    expect(budget.left()).toBe(2);
  });

  it('refuse a source that is larger than the remaining rows, and report which limit applied', () => {
    const budget = createPassBudget(limits, () => 0);
    budget.startAccount();
    budget.spend(2);
    expect([budget.exhausted(2), budget.exhausted(3)]).toEqual([undefined, 'account_rows']);
    budget.spend(2);
    budget.startAccount();
    budget.spend(4);
    budget.startAccount();
    expect([budget.exhausted(2), budget.exhausted(3)]).toEqual([undefined, 'pass_rows']);
  });

  it('allow a source larger than both limits only if nothing has been written yet', () => {
    const budget = createPassBudget(limits, () => 0);
    budget.startAccount();
    expect(budget.isUntouched()).toBe(true);
    budget.spend(4);
    expect(budget.isUntouched()).toBe(false);
    budget.startAccount();
    expect(budget.isUntouched()).toBe(true);
    budget.spend(4);
    budget.startAccount();
    expect(budget.isUntouched()).toBe(false);
  });
});
