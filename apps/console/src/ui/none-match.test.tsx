import { isFiltered } from './none-match.tsx';

describe('the address of a list (CON-34)', () => {
  it.each([
    [{}, false],
    [{ cursor: 'x', peek: 'y', range: '7d' }, false],
    [{ status: undefined }, false],
    [{ status: 'dead', cursor: 'x' }, true],
  ])('%j has filters: %s', (params, expected) => {
    expect(isFiltered(params)).toBe(expected);
  });
});
