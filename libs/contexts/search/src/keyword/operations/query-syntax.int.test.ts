import fc from 'fast-check';
import type { AppError } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import type { ChunkSource } from '../../corpus/chunk-source.ts';
import { openSearch } from '../../testing/open-search.ts';
import { markCompounds } from '../rules/expand-query.ts';
import { readSimpleQuery } from '../rules/keyword-query.ts';
import { readQuery } from '../rules/read-query.ts';
import { listQueryTerms } from '../rules/query-terms.ts';
import type { KeywordSearchInput, SearchOptions } from '../keyword-search.ts';

describe('the query of a keyword search', () => {
  const suite = useOpened(openSearch);
  const accountId = newId();

  const write = (text: string, more: Partial<ChunkSource> = {}) => suite().write(accountId, text, more);
  const search = (query: string, more: Partial<KeywordSearchInput> = {}, options: Partial<SearchOptions> = {}) =>
    suite().search(accountId, query, more, options);

  it('supports phrases, exclusions and "or" (SRCH-2)', async () => {
    const { source: first } = await write('alpha beta gamma');
    const { source: second } = await write('beta alpha delta');
    const ids = async (query: string) => (await search(query)).sessions.map((session) => session.sessionId).sort();
    const both = [first.runtimeSessionId, second.runtimeSessionId].sort();
    expect(await ids('alpha beta')).toEqual(both);
    expect(await ids('"alpha beta"')).toEqual([first.runtimeSessionId]);
    expect(await ids('alpha -gamma')).toEqual([second.runtimeSessionId]);
    expect(await ids('gamma or delta')).toEqual(both);
  });

  it('excludes a compound word in any position, and excludes nothing for a dash within a word (SRCH-2)', async () => {
    const { source: held } = await write('mango of src/net');
    const { source: other } = await write('mango of nothing');
    const ids = async (query: string) => (await search(query)).sessions.map((session) => session.sessionId);
    for (const query of [
      'mango -src/net',
      'mango (-src/net)',
      'mango (-"src/net"',
      'mango(-src/net)',
      'mango - "src/net"',
    ])
      expect([query, await ids(query)]).toEqual([query, [other.runtimeSessionId]]);
    for (const query of ['mango-"src/net"', 'mango --src/net'])
      expect([query, await ids(query)]).toEqual([query, [held.runtimeSessionId]]);
  });

  it('derives no parts that the parser would read as an exclusion', async () => {
    const pieces = fc.array(fc.constantFrom('a', 'b/c', 'd.e', '-', '(', ')', '!', '&', '|', '"', ':', ' ', ','), {
      maxLength: 9,
    });
    await fc.assert(
      fc.asyncProperty(pieces, async (each) => {
        const typed = markCompounds(each.join('')).compounds.map((compound) => compound.typed);
        const { rows } = await suite().database.pool.query<{ read: string }>(
          `select websearch_to_tsquery('simple', item)::text as read from unnest($1::text[]) as item`,
          [typed],
        );
        const operators = rows.map(({ read }) => read.replaceAll(/'(?:[^']|'')*'/g, ''));
        expect(operators.filter((each) => each.includes('!'))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('is parsed in the process in the same way as in the database, into included and excluded words', async () => {
    const signs = ['or', 'OR', '-', '(', ')', '!', '&', '|', '"', ':', ' ', ' ', ',', '_', 'or-'];
    const pieces = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ...signs), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(pieces, async (each) => {
        const query = each.join('');
        const { rows } = await suite().database.pool.query<{ parsed: string }>(
          `select websearch_to_tsquery('simple', $1)::text as parsed`,
          [query],
        );
        const parsed = [...(rows[0]?.parsed ?? '').matchAll(/(!*)(?:\( ([^()]*) \)|'([^']*)')/g)].flatMap(
          ([, nots = '', phrase, word = '']) =>
            (phrase?.match(/\w+(?=')/g) ?? [word]).map((text) => ({ text, isExcluded: nots.length % 2 === 1 })),
        );
        const read = readQuery(query).items.flatMap(({ text, isExcluded }) =>
          (text.toLowerCase().match(/[a-z]+(?:-[a-z]+)*/g) ?? []).map((word) => ({ text: word, isExcluded })),
        );
        const ofWord = ({ text }: { text: string }) => !text.includes('-');
        const known = new Set(read.filter((item) => !ofWord(item)).flatMap(({ text }) => [text, ...text.split('-')]));
        const compare = (items: typeof read) => items.filter((item) => ofWord(item) && !known.has(item.text));
        expect([query, compare(read)]).toEqual([query, compare(parsed)]);
      }),
      { numRuns: 1000 },
    );
  });

  it('finds words by their prefix, in any position, and marks them completely (SRCH-81)', async () => {
    const { source: one } = await write('redeployed: deployment of quokka');
    const { source: other } = await write('quokka in src/network/http.ts');
    const found = async (query: string, more: Partial<KeywordSearchInput> = {}) =>
      (await search(query, more)).sessions.map(({ sessionId }) => sessionId);
    expect(await found('quokka deploy*')).toEqual([one.runtimeSessionId]);
    expect(await found('quokka -Deploy*')).toEqual([other.runtimeSessionId]);
    expect(await found('quokka src/net*')).toEqual([other.runtimeSessionId]);
    expect(await found('quokka -src/net*')).toEqual([one.runtimeSessionId]);
    expect(await found('quokka ploy*')).toEqual([]);
    expect(await found('"quokka deploy*"')).toEqual([]);
    expect(await found('deploym* networ*', { strictness: 'any_word' })).toHaveLength(2);
    expect((await search('quokka deploy*')).snippets[0]?.html).toBe(
      'redeployed: <mark>deployment</mark> of <mark>quokka</mark>',
    );
  });

  it('relaxes a query of plain words to match any of them, but applies operators strictly (SRCH-5)', async () => {
    const { source } = await write('kiwi only');
    const any = await search('kiwi papaya', { strictness: 'any_word' });
    expect(any.sessions.map((session) => session.sessionId)).toEqual([source.runtimeSessionId]);
    expect((await search('"kiwi papaya"', { strictness: 'any_word' })).total).toBe(0);
    expect((await search('kiwi papaya')).total).toBe(0);
  });

  it.each(['-foo', '-foo -bar', '(-src/net', '-a.b |-c/d', '!!!', '" "', '*'])(
    'refuses %j, which has no word to search for (SRCH-6)',
    async (query) => {
      await expect(search(query)).rejects.toMatchObject({ code: 'query_has_no_terms' });
    },
  );

  it.each([
    ['33 dashes', '-'.repeat(33)],
    ['dashes with blanks', '- '.repeat(200)],
    ['dashes between words', `a ${'-'.repeat(100)}b`],
    ['dashes before a phrase', `${'-'.repeat(60)}"a b"`],
    ['a dash before each of many words', `a ${'-b '.repeat(100)}`],
    ['an or between many words', 'a or '.repeat(100)],
    ['quotes', '"a" -"b c" '.repeat(40)],
  ])(
    'returns results for a query of many operators or refuses it, and never fails (LIM-24): %s',
    async (_what, query) => {
      for (const strictness of ['strict', 'any_word'] as const) {
        const outcome = await search(query, { strictness }).catch((error: unknown) => error);
        if (!(outcome instanceof Error)) continue;
        const { code, detail } = outcome as AppError;
        expect(['query_has_no_terms', 'invalid_request']).toContain(code);
        if (code === 'invalid_request') expect(detail).toEqual({ field: 'query' });
      }
    },
  );

  it('accepts any other string as a query without failing', async () => {
    const odd = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('"', "'", '-', ' or ', '&', '|', '!', ':*', '<->', '(', ')', '\\', '%'),
      ),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(odd, async (parts) => {
        const query = parts.join('').replaceAll('\u0000', ' ').toWellFormed().slice(0, 512);
        const outcome = await search(query).catch((error: unknown) => error);
        if (outcome instanceof Error) expect((outcome as AppError).code).toBe('query_has_no_terms');
      }),
      { numRuns: 150 },
    );
  });

  it('matches exactly what Postgres matches', async () => {
    const words = ['ash', 'birch', 'cedar', 'elm'];
    const word = fc.constantFrom(...words);
    const part = fc.oneof(
      word,
      word.map((each) => `-${each}`),
      fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`),
      fc.constant('or'),
    );
    const otherId = newId();
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.array(part, { minLength: 1, maxLength: 5 }),
        async (text, parts) => {
          const { source } = await write(text.join(' '), { accountId: otherId });
          const query = parts.join(' ');
          const oracle = await suite().database.pool.query(
            `select to_tsvector('simple', $1) @@ websearch_to_tsquery('simple', $2) as matches,
             querytree(websearch_to_tsquery('simple', $2)) in ('', 'T') as refused`,
            [text.join(' '), query],
          );
          const { matches, refused } = oracle.rows[0] as { matches: boolean; refused: boolean };
          const found = await search(query, {
            accountId: otherId,
            filter: { sessionId: source.runtimeSessionId },
          }).catch((error: AppError) => error.code);
          expect(typeof found === 'string' ? found : found.total).toBe(
            refused ? 'query_has_no_terms' : matches ? 1 : 0,
          );
        },
      ),
      { numRuns: 120 },
    );
  });

  it('reads a query of simple words as Postgres does, without a database call', async () => {
    const letters = fc.array(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), { minLength: 1, maxLength: 40 });
    const word = fc.oneof(
      letters.map((each) => each.join('')),
      fc.constantFrom('or', 'and', 'not', 'orr', 'the', 'http', 'www', 'e', 'nan', 'null'),
    );
    const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((each) => each.join(' '));
    const item = fc.oneof(
      { weight: 3, arbitrary: word },
      fc.constant('or'),
      fc
        .tuple(fc.constantFrom('', '-'), fc.constantFrom('', '"'), words)
        .map(([minus, mark, each]) => minus + mark + each + mark),
    );
    const items = fc.array(item, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(items, fc.boolean(), async (each, anyWord) => {
        const query = each.join(' ');
        const own = readSimpleQuery(query, anyWord);
        if (own === undefined) return expect(query).toMatch(anyWord ? /\bor\b|["-]/ : /\bor\b|^-/);
        const parser = anyWord
          ? `replace(plainto_tsquery('simple', $1)::text, ' & ', ' | ')::tsquery`
          : `websearch_to_tsquery('simple', $1)`;
        const oracle = await suite().database.pool.query(
          `select q::text, querytree(q) as tree from (select ${parser} as q) parsed`,
          [query],
        );
        const { q, tree } = oracle.rows[0] as { q: string; tree: string };
        expect(own).toEqual({ tsquery: q, terms: listQueryTerms(tree) });
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['lone', 'two words', '"a phrase"', 'a -b', '-b a', 'a -"b c"', 'a b or "c d" -e or f'])(
    'parses %s without a database call',
    (query) => {
      expect(readSimpleQuery(query, false)).toBeDefined();
    },
  );
});
