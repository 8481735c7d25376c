import fc from 'fast-check';
import { expectNoHarmByTampering } from '../../testing/tampered-cursor.ts';
import { decodeFusedCursor, encodeFusedCursor, shortenId, type FusedCursor } from './fused-cursor.ts';
import { encodeSearchCursor } from './search-cursor.ts';

const ID = '01a1fd83-e0f6-74f3-a4d4-3894501df164';
const QUERY = { accountId: ID, query: 'one word', strictness: 'any_word', filter: {}, mode: 'hybrid' } as const;
const CURSOR: FusedCursor = {
  asOf: new Date('2026-10-01T00:00:00.123Z'),
  plan: { arm: 'walk', rows: 20_000 },
  shown: [shortenId(ID), shortenId('01A1FD83-E0F6-74F3-A4D4-3894501DF1FF')],
  namedIds: [ID],
  namedShown: 1,
};

const anyCursor: fc.Arbitrary<FusedCursor> = fc
  .record({
    asOf: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
    plan: fc.constantFrom(
      { arm: 'all' } as const,
      { arm: 'index' } as const,
      { arm: 'walk', rows: 5 } as const,
      undefined,
    ),
    shown: fc.array(fc.uuid().map(shortenId), { maxLength: 400 }),
    namedIds: fc.array(fc.uuid(), { maxLength: 50 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ share, ...rest }) => ({ ...rest, namedShown: Math.floor(share * rest.namedIds.length) }));

describe('the cursor of a fused list (SRCH-36)', () => {
  it('survives a round trip as a URL-safe string', () => {
    fc.assert(
      fc.property(anyCursor, (cursor) => {
        const text = encodeFusedCursor(QUERY, cursor);
        expect(text).toMatch(/^[\w-]+$/);
        expect(decodeFusedCursor(QUERY, text)).toEqual(cursor);
      }),
    );
  });

  it('stays within the request limit at the maximum depth', () => {
    const shown = Array.from({ length: 400 }, (_, place) => place.toString(16).padStart(12, '0'));
    const namedIds = Array.from({ length: 50 }, () => ID);
    expect(encodeFusedCursor(QUERY, { ...CURSOR, shown, namedIds }).length).toBeLessThanOrEqual(8192);
  });

  it.each([
    ['query', { ...QUERY, query: 'other' }],
    ['mode', { ...QUERY, mode: 'semantic' as const }],
    ['filter', { ...QUERY, filter: { role: 'user' } }],
    ['account', { ...QUERY, accountId: ID.replace('01', '02') }],
  ])('is refused with another %s', (_what, other) => {
    const text = encodeFusedCursor(QUERY, CURSOR);
    expect(() => decodeFusedCursor(other, text)).toThrow('belongs to another query');
  });

  it('is distinguished from that of a keyword search', () => {
    const words = { asOf: CURSOR.asOf, plan: { arm: 'all' } as const, after: null, namedUnmatched: 0 };
    const text = encodeSearchCursor(QUERY, { ...words, namedIds: [], namedShown: 0 });
    expect(decodeFusedCursor(QUERY, text)).toBeUndefined();
  });

  it.each([
    ['a moment that is none', 2, 'yesterday'],
    ['a plan that is none', 3, ['scan', 0]],
    ['a plan of another kind', 3, 7],
    ['half an id', 4, 'AAAA'],
    ['no list', 4, 5],
    ['a lane of other things', 5, [['x'], 0, 0]],
  ])('is refused with %s', (_what, place, value) => {
    const parts = JSON.parse(Buffer.from(encodeFusedCursor(QUERY, CURSOR), 'base64url').toString()) as unknown[];
    parts[place] = value;
    const text = Buffer.from(JSON.stringify(parts)).toString('base64url');
    expect(() => decodeFusedCursor(QUERY, text)).toThrow('is not a cursor of a search');
  });

  it('that was altered is either refused as invalid or still decoded as a cursor; it never causes another error', () => {
    expectNoHarmByTampering(anyCursor, {
      encode: (cursor) => encodeFusedCursor(QUERY, cursor),
      decode: (text) => decodeFusedCursor(QUERY, text),
    });
  });
});
