import { AppError } from '@steward/contracts';
import { cleanQuery, readSearchTask } from './read-search-task.ts';
import { encodeSearchCursor } from './search-cursor.ts';
import type { SearchRequest } from '../search-request.ts';

const ACCOUNT = '01a1fd83-e0f6-74f3-a4d4-3894501df164';
const read = (request: Partial<SearchRequest>) => readSearchTask({ query: 'word', ...request }, ACCOUNT);
const refusal = (request: Partial<SearchRequest>): unknown => {
  try {
    read(request);
    return undefined;
  } catch (error) {
    return error instanceof AppError ? [error.code, error.detail] : error;
  }
};

describe('the query of a request (SRCH-1, LIM-23)', () => {
  it.each([
    ['  two \n words ', 'two words'],
    ['a\u0000b', 'a b'],
    ['half \ud83d pair', 'half pair'],
    ['Letter CASE', 'Letter CASE'],
  ])('is normalized: %j', (query, cleaned) => {
    expect(read({ query }).query).toBe(cleaned);
    expect(cleanQuery(query)).toBe(cleaned);
  });

  it.each(['', '   ', '\u0000', '\ufffd \ud800', '\u2003\n'])('is refused if nothing remains: %j', (query) => {
    expect(refusal({ query })).toEqual(['invalid_request', { field: 'query' }]);
  });

  it('has at most 512 characters; an emoji counts as one', () => {
    expect(refusal({ query: 'x'.repeat(512) })).toBeUndefined();
    expect(refusal({ query: '💥'.repeat(512) })).toBeUndefined();
    expect(refusal({ query: ` ${'x'.repeat(512)} ` })).toBeUndefined();
    expect(refusal({ query: 'x'.repeat(513) })).toEqual(['invalid_request', { field: 'query' }]);
    expect(refusal({ query: '💥'.repeat(513) })).toEqual(['invalid_request', { field: 'query' }]);
  });
});

describe('an omitted field (SRCH-4, SRCH-15)', () => {
  it('has its default value', () => {
    expect(read({}).input).toEqual({
      accountId: ACCOUNT,
      query: 'word',
      strictness: 'strict',
      filter: {},
      limit: 20,
      offset: 0,
      after: undefined,
      asOf: undefined,
      plan: undefined,
      maxSnippetsPerSession: 3,
      includeSnippetText: true,
      explain: false,
    });
  });

  it('does not override given values, including zero and false', () => {
    const given = { limit: 1, offset: 40, maxSnippetsPerSession: 0, includeSnippetText: false, explain: true };
    expect(read(given).input).toMatchObject(given);
  });
});

describe('the strictness of a search (SRCH-5)', () => {
  it.each([
    ['keyword', 'one two', 'strict', 'one two'],
    ['semantic', 'one two', 'strict', 'one two'],
    ['hybrid', 'one two', 'any_word', 'one two'],
    ['hybrid', 'one -two', 'any_word', 'one -two'],
    ['keyword', 'at https://a.test/x', 'strict', 'at "https://a.test/x"'],
    // The strictness `any_word` treats an address as separate words, without quotes, if the query has only plain words.
    ['hybrid', 'at https://a.test/x', 'any_word', 'at https://a.test/x'],
    ['hybrid', '"at" https://a.test/x', 'any_word', '"at" "https://a.test/x"'],
  ] as const)('%s: %s', (mode, query, strictness, asked) => {
    expect(read({ mode, query }).input).toMatchObject({ strictness, query: asked });
    expect(read({ mode, query }).query).toBe(query);
  });
});

describe('filters of a request (SRCH-7, API-7)', () => {
  it('contain only storable strings', () => {
    const { filter } = read({ filter: { modelAlias: 'a\u0000', role: '\ud800', runtimePrincipalId: 'x' } }).input;
    expect(filter).toMatchObject({ modelAlias: 'a\ufffd', role: '\ufffd', runtimePrincipalId: 'x' });
  });

  it('are equal regardless of their order, because a cursor depends on them (SRCH-21)', () => {
    const cursor = {
      asOf: new Date(0),
      plan: { arm: 'all' },
      after: null,
      namedIds: [],
      namedShown: 0,
      namedUnmatched: 0,
    } as const;
    const text = encodeSearchCursor(read({ filter: { role: 'user', modelAlias: 'm' } }).input, cursor);
    const next = read({ filter: { modelAlias: 'm', role: 'user' }, cursor: text });
    expect([next.input.asOf, next.input.plan]).toEqual([cursor.asOf, cursor.plan]);
    expect(refusal({ filter: { modelAlias: 'm' }, cursor: text })).toEqual(['invalid_request', { field: 'cursor' }]);
    expect(refusal({ query: 'other', filter: { modelAlias: 'm', role: 'user' }, cursor: text })).toEqual([
      'invalid_request',
      { field: 'cursor' },
    ]);
  });
});

describe('two ways of paging (SRCH-22)', () => {
  it.each([0, 1, 100])('are mutually exclusive: offset %s with a cursor', (offset) => {
    expect(refusal({ offset, cursor: 'x' })).toEqual(['invalid_request', { field: 'cursor' }]);
  });

  it.each(['', 'x', '{}'])('report an invalid cursor as an error of the field cursor: %j', (cursor) => {
    expect(refusal({ cursor })).toEqual(['invalid_request', { field: 'cursor' }]);
  });
});
