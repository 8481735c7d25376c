import fc from 'fast-check';
import { CHUNK_LENGTH, CHUNK_OVERLAP, MAX_CHUNKS, splitIntoChunks } from './split-into-chunks.ts';

/** Generates text that is hard to split: emoji sequences, combining marks, right-to-left text, long runs, lines. */
const hardText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('👩‍👩‍👧‍👦', 'e\u0301', 'שלום ', '\n', ' ', 'word ', 'x'.repeat(1500), '한국어', '\u0301'.repeat(300)),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

describe('splitting into chunks', () => {
  it('covers the whole text except white space and the reported gap', () => {
    fc.assert(
      fc.property(hardText, (text) => {
        const { chunks, gapAfter } = splitIntoChunks(text);
        let covered = 0;
        for (const [index, chunk] of chunks.entries()) {
          const isGap = gapAfter !== undefined && index === gapAfter + 1;
          if (!isGap) expect(text.slice(covered, Math.max(covered, chunk.start)).trim()).toBe('');
          covered = Math.max(covered, chunk.end);
        }
        expect(text.slice(covered).trim()).toBe('');
      }),
    );
  });

  it('respects every limit, and every chunk matches its reported position', () => {
    fc.assert(
      fc.property(hardText, (text) => {
        const { chunks } = splitIntoChunks(text);
        expect(chunks.length).toBeLessThanOrEqual(MAX_CHUNKS);
        for (const chunk of chunks) {
          expect(chunk.text).toBe(text.slice(chunk.start, chunk.end));
          expect(chunk.text.length).toBeLessThanOrEqual(CHUNK_LENGTH);
        }
      }),
    );
  });

  it('never splits a surrogate pair', () => {
    fc.assert(
      fc.property(hardText, (text) => {
        for (const chunk of splitIntoChunks(text.toWellFormed()).chunks) expect(chunk.text.isWellFormed()).toBe(true);
      }),
    );
  });

  it('never splits a character from its accents', () => {
    const { chunks } = splitIntoChunks('e\u0301'.repeat(2000));
    for (const chunk of chunks) expect(chunk.text).toMatch(/^e/);
  });

  it.each([
    ['a mark on a blank', ' \u0301'],
    ['a skin tone', '👍🏽'],
    ['a family', '👩‍👩‍👧‍👦'],
    ['a flag', '🇩🇪'],
    ['a flag of a region', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
    ['a syllable in its letters', '\u1112\u1161\u11AB'],
    ['a keycap', '1\uFE0F\u20E3'],
    ['an end of line', 'x\r\n'],
  ])('never splits %s, at any position', (_what, character) => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    for (const lead of ['', 'a', 'ab', 'abc', 'abcd', 'abcde']) {
      for (const filler of ['', 'x', 'xy ']) {
        const text = lead + `${character}${filler}`.repeat(1500);
        const borders = new Set([...segmenter.segment(text)].map((each) => each.index).concat(text.length));
        for (const { start, end } of splitIntoChunks(text).chunks)
          expect([start, end].every((at) => borders.has(at))).toBe(true);
      }
    }
  });

  it('prefers a line break, then a word boundary, in the last 200 characters', () => {
    const line = `${'a'.repeat(1050)}\n${'b '.repeat(500)}`;
    expect(splitIntoChunks(line).chunks[0]?.end).toBe(1051);
    const words = 'word '.repeat(1000);
    expect(splitIntoChunks(words).chunks[0]?.text.endsWith(' ')).toBe(true);
  });

  it('overlaps by about 200 characters', () => {
    const [first, second] = splitIntoChunks('x'.repeat(5000)).chunks;
    expect((first?.end ?? 0) - (second?.start ?? 0)).toBe(CHUNK_OVERLAP);
  });

  it.each([
    ['whole', undefined],
    ['whose middle was left out before', 80_000],
  ])(
    'retains 32 chunks of the head and 32 of the tail of a long text %s, and reports where the gap is (CORP-3)',
    (_w, gapAt) => {
      const text = Array.from({ length: 20_000 }, (_, line) => `line${line}`).join('\n');
      const { chunks, gapAfter } = splitIntoChunks(text, gapAt);
      expect(chunks).toHaveLength(MAX_CHUNKS);
      expect(gapAfter).toBe(31);
      expect(chunks[0]?.start).toBe(0);
      expect(chunks.at(-1)?.end).toBe(text.length);
      for (const { text: own, start, end } of chunks) expect(own).toBe(text.slice(start, end));
      const edges = chunks.slice(1).map(({ start }, index) => start > (chunks[index]?.end ?? 0));
      expect(edges.flatMap((isGap, index) => (isGap ? [index] : []))).toEqual([31]);
    },
  );

  it('creates no chunk for an empty text', () => {
    expect(splitIntoChunks(' \n\t ')).toEqual({ chunks: [], gapAfter: undefined });
  });
});
