import { createPassBudget } from './pass-budget.ts';

const limits = { maxRowsPerPass: 10, maxRowsPerAccount: 4, maxSeconds: 60 };

describe('budget of a pass', () => {
  it('stops an account at its own limit and gives the next one a fresh one', () => {
    const budget = createPassBudget(limits, () => 0);
    budget.startAccount();
    budget.spend(4);
    expect(budget.exhausted()).toBe('account_rows');
    budget.startAccount();
    expect(budget.exhausted()).toBeUndefined();
  });

  it('stops the pass at its total, independent of the rows’ writer', () => {
    const budget = createPassBudget(limits, () => 0);
    for (let account = 0; account < 3; account += 1) {
      budget.startAccount();
      budget.spend(4);
    }
    budget.startAccount();
    expect(budget.exhausted()).toBe('pass_rows');
    expect(budget.rows).toBe(12);
  });

  it('stops when the time is over, even with nothing written', () => {
    let seconds = 59;
    const budget = createPassBudget(limits, () => seconds);
    expect(budget.exhausted()).toBeUndefined();
    seconds = 60;
    expect(budget.exhausted()).toBe('pass_seconds');
  });

  it('says how many rows are left, of the account and of the pass, and never less than none', () => {
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

  it('has no room for a source that is larger than what is left, and says which limit that is', () => {
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

  it('is untouched while the account or the pass has all of its rows: a source too large for both is written then', () => {
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
