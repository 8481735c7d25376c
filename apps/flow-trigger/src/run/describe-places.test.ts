import { describePlaces } from './describe-places.ts';

describe('the warning about a worker’s slots at its start', () => {
  it.each([
    [1, 1, /FLOW_CONCURRENCY is 1/],
    [4, 4, /FLOW_ACCOUNT_CONCURRENCY \(4\) is not below FLOW_CONCURRENCY \(4\).*3 of the 4/],
    [2, 50, /1 of the 2/],
  ])('is written for %d slots with a limit of %d per account', (concurrency, accountConcurrency, said) => {
    expect(describePlaces({ concurrency, accountConcurrency })).toMatch(said);
  });

  it('is empty if no account can use all slots', () => {
    expect(describePlaces({ concurrency: 4, accountConcurrency: 3 })).toBeUndefined();
  });
});
