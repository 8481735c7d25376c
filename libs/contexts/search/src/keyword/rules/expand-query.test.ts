import fc from 'fast-check';
import { markCompounds, restoreCompounds } from './expand-query.ts';

describe('a query with compound words (SRCH-3)', () => {
  it.each([
    ['src/net', `'src' <-> 'net'`],
    ['client.sendMessage(', `'client' <-> 'sendmessage'`],
    ['-src/net', `'src' <-> 'net'`],
    ['"src/net/http.ts"', `'src' <-> 'net' <-> 'http' <-> 'ts'`],
    ['dispatch-loop', `'dispatch' <-> 'loop'`],
    ['foo(a.b', `'foo' & 'a' <-> 'b'`],
    ['検索中', `'検索' <-> '索中'`],
    ['猫', `'猫'`],
    ['d41f8c2a9e7b6051', `'d41f8c2a9e7b6051'`],
    ['List<Item>', `'list' <-> 'item'`],
    ['camelCase', `'camel':C <-> 'case':C`],
    ['"HttpRequest"', `'http':C <-> 'request':C`],
    ['parseJSON', `'parse':C <-> 'json':C`],
    ['sendMess*', `( 'sendmess':* | 'send':C <-> 'mess':*C )`],
    ['foo/x(BarBaz', `'foo' <-> 'x' & ( 'barbaz' | 'bar':C <-> 'baz':C )`],
    ['ภาษา', `'ภา' <-> 'าษ' <-> 'ษา'`],
    ['ＡＢＣ', `'abc'`],
    ['pass\u200bword', `'password'`],
    ['قَالَ', `'قال'`],
    ['"قَالَ لَهُ"', `'قال' <-> 'له'`],
  ])('also looks for the parts of %s', (query, parts) => {
    expect(markCompounds(query).compounds.map((compound) => compound.parts)).toEqual([parts]);
  });

  it.each([
    'plain words',
    '"a phrase" -without or others',
    "don't",
    'get_user',
    'end.',
    'key: value',
    '!!!',
    '"new HttpRequest"',
  ])('leaves a query unchanged if the parser splits its words in the same way as the index: %s', (query) => {
    expect(markCompounds(query)).toEqual({ query, compounds: [] });
  });

  it('retains operators and surrounding quotes', () => {
    const marked = markCompounds('fail -"a.b c" or x"d.e"f -g/h');
    const [one, two, three] = marked.compounds.map(({ sign }) => sign);
    expect(marked.query).toBe(`fail -${one} or x ${two} f -${three}`);
  });

  it.each([
    ['hello (-src/net)', 'hello (-A'],
    ['!&(-src/net', '!&(-A'],
    ['foo-"src/net"', 'foo- A'],
    ['foo--"src/net"', 'foo-- A'],
    ['(-"src/net"', '(-A'],
    ['"b c"-"src/net"', '"b c"-A'],
    ['fail - "src/net"', 'fail - A'],
  ])('retains an exclusion sign where the parser recognizes it: %s', (query, expected) => {
    const marked = markCompounds(query);
    expect(marked.query.replace(marked.compounds[0]?.sign ?? '', 'A')).toBe(expected);
  });

  it.each(['foo(-src/net)', 'a.b|-c', '-a.b(!-c'])('leaves dashes within words to the parser: %s', (query) => {
    expect(markCompounds(query)).toEqual({ query, compounds: [] });
  });

  it('normalizes accents', () => {
    expect(markCompounds('cafe\u0301').query).toBe('caf\u00e9');
  });

  it('restores compound words, or their parts, as one term, as read by the parser; excluded parts match only words', () => {
    const marked = markCompounds('fail src/net -a.b');
    const [first, second] = marked.compounds.map(({ sign }) => `'${sign}'`);
    const parsed = {
      tsquery: `'fail' & ${first} & !${second}`,
      tree: `'fail' & ${first}`,
      read: [`'src/net'`, `'a.b'`],
    };
    expect(restoreCompounds(parsed, marked)).toEqual({
      tsquery: `'fail' & ( 'src/net' | 'src' <-> 'net' ) & !( 'a.b' | 'a':C <-> 'b':C )`,
      terms: [`'fail'`, `( 'src/net' | 'src' <-> 'net' )`],
      shown: ['fail', 'src/net', 'src/net', 'src/net'],
    });
  });

  it('weighs each form separately if any word may match: the letters of a ticket key differ in weight from its number', () => {
    const marked = markCompounds('E-4471 src/net');
    const signs = marked.compounds.map(({ sign }) => `'${sign}'`);
    const text = signs.join(' | ');
    const parsed = { tsquery: text, tree: text, read: [`'e' | '-4471'`, `'src/net'`] };
    const { terms, tsquery } = restoreCompounds(parsed, marked, { anyWord: true });
    expect(terms).toEqual([`'e'`, `'-4471'`, `'src/net'`, `( 'src' <-> 'net' )`]);
    expect(tsquery).toBe(`( 'e' | '-4471' | 'e' <-> '4471' ) | ( 'src/net' | 'src' <-> 'net' )`);
  });

  it('uses a placeholder that does not occur in the query for each compound word, regardless of its content', () => {
    const part = fc.constantFrom('zqx', 'zqxz', 'zqxza', 'a.b', '"c.d e"', '-f/g', 'or', 'word', '"', '-');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const query = parts.join(' ');
        const signs = markCompounds(query).compounds.map(({ sign }) => sign);
        expect(new Set(signs).size).toBe(signs.length);
        for (const sign of signs) expect([query.includes(sign), /^[a-z]+$/.test(sign)]).toEqual([false, true]);
      }),
    );
  });
});
