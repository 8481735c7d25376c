import fc from 'fast-check';
import { expectNoHarmByTampering } from '../../testing/tampered-cursor.ts';
import { decodeSearchCursor, encodeSearchCursor, type SearchCursor } from './search-cursor.ts';

const ID = '01a1fd83-e0f6-74f3-a4d4-3894501df164';
const QUERY = { accountId: ID, query: 'one word', strictness: 'strict', filter: {} } as const;
const CURSOR: SearchCursor = {
  asOf: new Date('2026-10-01T00:00:00.123Z'),
  plan: { arm: 'walk', rows: 20_000 },
  after: { score: 0.123456, lastMatchAt: new Date('2026-09-01T00:00:00Z'), sessionId: ID },
  namedIds: Array.from({ length: 5 }, () => ID),
  namedShown: 5,
  namedUnmatched: 4,
};

const uuid = fc.uuid();
const date = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
/** Generates any cursor that a page may have. */
const anyCursor: fc.Arbitrary<SearchCursor> = fc
  .record({
    asOf: date,
    plan: fc.oneof(
      fc.constantFrom({ arm: 'all' } as const, { arm: 'index' } as const),
      fc.integer({ min: 1, max: 100_000 }).map((rows) => ({ arm: 'walk', rows }) as const),
    ),
    after: fc.option(
      fc.record({
        score: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
        lastMatchAt: date,
        sessionId: uuid,
      }),
    ),
    namedIds: fc.array(uuid, { maxLength: 50 }),
    share: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map(({ share: [shown, unmatched], ...rest }) => ({
    ...rest,
    namedShown: Math.floor(shown * rest.namedIds.length),
    namedUnmatched: Math.floor(unmatched * rest.namedIds.length),
  }));

describe('the cursor of a search (SRCH-20, SRCH-21)', () => {
  it('survives a round trip, and stays within the request limit', () => {
    const text = encodeSearchCursor(QUERY, CURSOR);
    expect(text.length).toBeLessThanOrEqual(512);
    expect(decodeSearchCursor(QUERY, text)).toEqual(CURSOR);
    const start: SearchCursor = { ...CURSOR, plan: { arm: 'index' }, after: null };
    expect(decodeSearchCursor(QUERY, encodeSearchCursor(QUERY, start))).toEqual(start);
  });

  it.each([
    ['query', { ...QUERY, query: 'other' }],
    ['filter', { ...QUERY, filter: { role: 'user' } }],
    ['strictness', { ...QUERY, strictness: 'any_word' as const }],
    ['account', { ...QUERY, accountId: ID.replace('01', '02') }],
  ])('is refused with another %s', (_what, other) => {
    const text = encodeSearchCursor(QUERY, CURSOR);
    expect(() => decodeSearchCursor(other, text)).toThrow('belongs to another query');
  });

  it('is still valid if the end of the range is the current time, which has moved on', () => {
    const at = (time: string) => ({ ...QUERY, filter: { startDate: new Date(time) } });
    const text = encodeSearchCursor(at('2026-09-01T00:00:00Z'), CURSOR);
    expect(decodeSearchCursor(at('2026-09-01T00:00:07Z'), text)).toEqual(CURSOR);
  });

  it.each([
    ['a year no database has', 1, '-200000-01-01T00:00:00.000Z'],
    ['a year after all', 1, '+275760-01-01T00:00:00.000Z'],
    ['a date that is none', 1, 'yesterday'],
    ['a number as date', 1, 5],
    ['an arm that is none', 2, 'scan'],
    ['a walk without end', 3, 1e300],
    ['a walk of nothing', 3, 0],
    ['a list as position', 4, []],
    ['a score that is none', 4, ['x', '2026-09-01T00:00:00.000Z', ID]],
    ['a session that is none', 4, [1, '2026-09-01T00:00:00.000Z', 'x']],
    ['a lane of other things', 5, [['x'], 0, 0]],
    ['a count out of range', 5, [[ID], 2, 0]],
    ['a count that is none', 5, [[ID], 0, -1]],
  ])('is refused with %s', (_what, place, value) => {
    const parts = JSON.parse(Buffer.from(encodeSearchCursor(QUERY, CURSOR), 'base64url').toString()) as unknown[];
    parts[place] = value;
    const text = Buffer.from(JSON.stringify(parts)).toString('base64url');
    expect(() => decodeSearchCursor(QUERY, text)).toThrow('is not a cursor of a search');
  });

  it.each(['', 'x', 'bnVsbA', 'W10', '💥'])('is refused if it is not a search cursor: %s', (text) => {
    expect(() => decodeSearchCursor(QUERY, text)).toThrow('is not a cursor of a search');
  });

  it('decodes to the same value for any content', () => {
    fc.assert(
      fc.property(anyCursor, (cursor) => {
        expect(decodeSearchCursor(QUERY, encodeSearchCursor(QUERY, cursor))).toEqual(cursor);
      }),
    );
  });

  it('consists of letters, digits, - and _, which are URL-safe', () => {
    fc.assert(fc.property(anyCursor, (cursor) => expect(encodeSearchCursor(QUERY, cursor)).toMatch(/^[\w-]+$/)));
  });

  it('that was altered is either refused as invalid or still decoded as a cursor; it never causes another error', () => {
    expectNoHarmByTampering(anyCursor, {
      encode: (cursor) => encodeSearchCursor(QUERY, cursor),
      decode: (text) => decodeSearchCursor(QUERY, text),
    });
  });

  it('reveals nothing about its query', () => {
    const secret = { ...QUERY, query: 'merger of the two houses' };
    const text = Buffer.from(encodeSearchCursor(secret, CURSOR), 'base64url').toString();
    for (const word of secret.query.split(' ')) expect(text).not.toContain(word);
  });
});
