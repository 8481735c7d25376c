import fc from 'fast-check';
import { listQueryTerms, unquoteTerm } from './query-terms.ts';

describe('words of a parsed query', () => {
  it('are listed once each, regardless of the operators', () => {
    expect(listQueryTerms(`'foo' & ( 'bar' | 'foo' ) & 'a' <-> 'b'`)).toEqual([`'foo'`, `'bar'`, `'a'`, `'b'`]);
  });

  it('can contain quotes and backslashes', () => {
    const [term = ''] = listQueryTerms(`'c:\\\\it''s'`);
    expect(unquoteTerm(term)).toBe(`c:\\it's`);
  });

  it('are empty for an empty query', () => {
    expect(listQueryTerms('')).toEqual([]);
  });

  it('survive a round trip with any content', () => {
    const word = fc.string({ unit: fc.constantFrom("'", '\\', 'a', ' ', '&', '|', '(', ')', '!', '<->') });
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 5 }), (words) => {
        const quoted = words.map((each) => `'${each.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`);
        expect(listQueryTerms(quoted.join(' & ')).map(unquoteTerm)).toEqual(words);
      }),
    );
  });
});
