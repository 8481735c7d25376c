import { describePlaces } from './describe-places.ts';

describe('the description of a worker’s slots at its start', () => {
  it.each([
    [1, 1, /FLOW_CONCURRENCY is 1/],
    [4, 4, /FLOW_ACCOUNT_CONCURRENCY \(4\) is not below FLOW_CONCURRENCY \(4\).*3 of the 4/],
    [2, 50, /1 of the 2/],
  ])('warns of %d slots, %d for an account', (concurrency, accountConcurrency, said) => {
    expect(describePlaces({ concurrency, accountConcurrency })).toMatch(said);
  });

  it('is empty if every account leaves slots for others', () => {
    expect(describePlaces({ concurrency: 4, accountConcurrency: 3 })).toBeUndefined();
  });
});
