import { rotate } from './rotate.ts';

describe('the order of a pass', () => {
  it.each([
    ['begins at the first account without a place to go on', undefined, ['a', 'c', 'e']],
    ['goes on where the last pass stopped, and comes round to those before', 'c', ['c', 'e', 'a']],
    ['goes on behind an account that is gone', 'b', ['c', 'e', 'a']],
    ['begins anew behind the last', 'f', ['a', 'c', 'e']],
  ])('%s', (_what, first, order) => {
    expect(rotate(['a', 'c', 'e'], first)).toEqual(order);
  });
});
