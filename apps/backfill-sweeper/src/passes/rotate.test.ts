import { rotate } from './rotate.ts';

describe('the order of a pass', () => {
  it.each([
    ['begins at the first account if there is no position to resume from', undefined, ['a', 'c', 'e']],
    ['resumes where the last pass stopped, and then serves the accounts before that', 'c', ['c', 'e', 'a']],
    ['resumes after an account that no longer exists', 'b', ['c', 'e', 'a']],
    ['begins again after the last account', 'f', ['a', 'c', 'e']],
  ])('%s', (_what, first, order) => {
    expect(rotate(['a', 'c', 'e'], first)).toEqual(order);
  });
});
