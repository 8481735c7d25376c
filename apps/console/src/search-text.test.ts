import { parseSearch, pickTexts, stringifySearch } from './search-text.ts';

describe('the URL of a screen', () => {
  it.each(['404', '1e5', 'true', 'null', '"exit code"', 'a+b & c', '-skipped', 'ä?=#', '{"a":1}'])(
    'keeps the search query %s unchanged',
    (q) => {
      expect(parseSearch(stringifySearch({ q }))).toEqual({ q });
    },
  );

  it('repeats the key of a list and omits empty values', () => {
    expect(stringifySearch({ type: ['a', 'b'], q: '', from: undefined, cursor: 'x' })).toBe('?type=a&type=b&cursor=x');
    expect(parseSearch('?type=a&type=b')).toEqual({ type: ['a', 'b'] });
    expect(parseSearch('?peek=&type=&type=b')).toEqual({ type: 'b' });
    expect(stringifySearch({})).toBe('');
  });

  it('passes only the known keys to the screen', () => {
    expect(pickTexts({ q: ' x ', to: ' ', role: ['a', 'b'], other: 'y' }, ['q', 'to', 'role'])).toEqual({ q: 'x' });
  });
});
