import { spanBorders } from './span-borders.ts';

const chain = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => `'word${from + index + 10}'`).join(' <-> ');

describe('phrases across the boundary of two chunks (SRCH-82)', () => {
  it.each([
    ['words alone', Array.from({ length: 60 }, (_, index) => `'word${index}'`).join(' & ')],
    ['a short phrase', chain(11)],
    ['what is derived', chain(30).replaceAll(/'(?= |$)/g, "':C")],
  ])('are not looked for in %s', (_what, tsquery) => {
    expect(spanBorders(tsquery)).toBe(tsquery);
  });

  it('are looked for as the phrase, or its beginning before a boundary', () => {
    expect(spanBorders(`'a' & !( ${chain(14)} )`)).toBe(
      `'a' & !( ( ${chain(14)} | ${chain(12)} <-> ( '¶' | 'word22' <-> '¶' ) ) )`,
    );
  });

  it('leave words that contain quotes intact', () => {
    expect(spanBorders(`'it''s' <-> ${chain(13)}`)).toContain(`| 'it''s' <-> ${chain(11)} <-> ( '¶' | `);
  });
});
