import fc from 'fast-check';
import { isPlainQuery, normaliseQuery, quoteAddresses, readSimpleQuery } from './keyword-query.ts';

describe('quoteAddresses (SRCH-3)', () => {
  it.each([
    ['https://example.com/a?b=1', '"https://example.com/a?b=1"'],
    ['failed http://127.0.0.1:8000/x or postgres://db/app', 'failed "http://127.0.0.1:8000/x" or "postgres://db/app"'],
    ['deploy -https://staging.test', 'deploy -"https://staging.test"'],
    ['"at https://example.com" https://b.test', '"at https://example.com" "https://b.test"'],
  ])('quotes an address: %s', (query, quoted) => {
    expect(quoteAddresses(query)).toBe(quoted);
  });

  it.each(['std::vector', 'a "https://open.test', 'key:value -x "y"', 'https://', '://x', 'say"https://a.test'])(
    'leaves everything else unchanged: %s',
    (query) => {
      expect(quoteAddresses(query)).toBe(query);
    },
  );

  it('only adds quotation marks, for any query, and is idempotent', () => {
    const parts = fc.constantFrom('https://a.test/x', '-http://b', '"', 'word', ' ', '-', 'or', '://', '\u00e9', '💥');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (each) => {
        const query = each.join('');
        const quoted = quoteAddresses(query);
        expect(quoted.replaceAll('"', '')).toBe(query.replaceAll('"', ''));
        expect(quoteAddresses(quoted)).toBe(quoted);
      }),
    );
  });
});

describe('a query of plain words (SRCH-5)', () => {
  it.each(['one', 'two words', 'order', 'for', 'a-b', 'well-known words', 'oracle', "it's", 'nor', 'or b', 'a or'])(
    'can be relaxed: %s',
    (query) => {
      expect(isPlainQuery(query)).toBe(true);
    },
  );

  it.each(['"one"', 'a "b', '“typographic”', 'a -b', '-b', '- dash', 'a (-b)', 'a|-b', 'a or b', 'a OR b', 'a or (b'])(
    'does not have an operator, which makes the query strict: %s',
    (query) => {
      expect(isPlainQuery(query)).toBe(false);
    },
  );
});

describe('the normalized query (SRCH-1)', () => {
  it.each([
    ['  a \t b\n', 'a b'],
    ['\u00a0a\u2003b\ufeff', 'a b'],
    [' \n ', ''],
    ['a b', 'a b'],
  ])('has its white space collapsed: %j', (query, normalised) => {
    expect(normaliseQuery(query)).toBe(normalised);
  });

  it('is stable; normalization removes only white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const normalised = normaliseQuery(text);
        expect(normaliseQuery(normalised)).toBe(normalised);
        expect(normalised.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      }),
    );
  });
});

describe('a query parsed in the process (SRCH-2)', () => {
  it.each([
    ['one', `'one'`, [`'one'`]],
    ['one two', `'one' & 'two'`, [`'one'`, `'two'`]],
    ['one one', `'one' & 'one'`, [`'one'`]],
    ['"one two"', `'one' <-> 'two'`, [`'one'`, `'two'`]],
    ['one -two', `'one' & !'two'`, [`'one'`]],
    ['one -"two three"', `'one' & !( 'two' <-> 'three' )`, [`'one'`]],
    ['one or two three', `'one' | 'two' & 'three'`, [`'one'`, `'two'`, `'three'`]],
    ['-two one', `!'two' & 'one'`, [`'one'`]],
  ])('%s', (query, tsquery, terms) => {
    expect(readSimpleQuery(query, false)).toEqual({ tsquery, terms });
  });

  it('matches any of the words on request, each weighted once', () => {
    expect(readSimpleQuery('one two one', true)).toEqual({
      tsquery: `'one' | 'two' | 'one'`,
      terms: [`'one'`, `'two'`],
    });
  });

  it.each([
    'One',
    'e\u0301t\u00e9',
    '42',
    'a_b',
    'https://a.test',
    '-one',
    '-one or two',
    'one  two',
    '"one',
    'or',
    '',
  ])('is passed to the database parser if it does not consist of simple words: %j', (query) => {
    expect(readSimpleQuery(query, false)).toBeUndefined();
  });

  it.each(['one or two', '"one"', 'one -two'])('is not relaxed if it has operators: %s', (query) => {
    expect(readSimpleQuery(query, true)).toBeUndefined();
  });

  it('never turns the input into an operator: quotes contain only lower-case letters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), fc.boolean(), (query, anyWord) => {
        const parsed = readSimpleQuery(query, anyWord);
        if (parsed === undefined) return;
        expect(parsed.tsquery.replaceAll(/'[a-z]+'/g, 'w')).toMatch(/^(?:[w !()&|]|<->)+$/);
        expect(parsed.terms.filter((term) => !/^'[a-z]+'$/.test(term))).toEqual([]);
      }),
    );
  });
});
