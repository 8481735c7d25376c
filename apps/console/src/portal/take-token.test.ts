import { takeToken } from './take-token.ts';

describe('the token of a portal link', () => {
  it('is read from the fragment and removed from the address (HOOK-54)', () => {
    const addresses: unknown[] = [];
    const history = { replaceState: (_state: unknown, _title: string, url?: unknown) => void addresses.push(url) };
    expect(takeToken({ hash: '#stw_ptl_x', pathname: '/portal/1' }, history)).toBe('stw_ptl_x');
    expect(addresses).toEqual(['/portal/1']);
  });

  it('is missing in an address without a fragment, which is then not changed', () => {
    const history = {
      replaceState: () => {
        throw new Error('the address was changed');
      },
    };
    expect(takeToken({ hash: '', pathname: '/portal/1' }, history)).toBeUndefined();
  });
});
