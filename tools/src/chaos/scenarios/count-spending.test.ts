import { countSpending, type Spending } from './count-spending.ts';

const FAIR: Spending = {
  costMicro: 100,
  asked: 10,
  answered: 9,
  limitMicro: 1000,
  spentMicro: 950,
  heldMicro: 0,
  recordedMicro: 950,
};

describe('the books of model calls', () => {
  it('are in order if every answered call is spent within the limit and nothing is held', () => {
    expect(Object.values(countSpending(FAIR))).toEqual([0, 0, 0, 0]);
  });

  it.each([
    ['calls past the budget', { asked: 12 }, 2],
    ['calls past the budget', { spentMicro: 1050, recordedMicro: 1050 }, 1],
    ['answered calls not spent', { spentMicro: 690, recordedMicro: 690 }, 3],
    ['calls still held', { heldMicro: 1 }, 1],
    ['calls spent and not recorded, or the reverse', { recordedMicro: 700 }, 3],
    ['calls spent and not recorded, or the reverse', { recordedMicro: 1000 }, 1],
  ])('count %s (%j)', (name, change, count) => {
    const broken = countSpending({ ...FAIR, ...change });
    expect(broken[name]).toBe(count);
    expect(Object.values(broken).filter((one) => one > 0)).toHaveLength(1);
  });
});
