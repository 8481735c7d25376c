import fc from 'fast-check';
import { CHUNK_LENGTH, CHUNK_OVERLAP, MAX_CHUNKS, splitIntoChunks } from './split-into-chunks.ts';

/** Text with what makes cutting hard: emoji sequences, combining marks, right-to-left, long runs, lines. */
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
  it('covers the whole text: nothing but white space is in no chunk, unless the tail is marked as omitted', () => {
    fc.assert(
      fc.property(hardText, (text) => {
        const { chunks, tailOmitted } = splitIntoChunks(text);
        let covered = 0;
        for (const chunk of chunks) {
          expect(text.slice(covered, Math.max(covered, chunk.start)).trim()).toBe('');
          covered = Math.max(covered, chunk.end);
        }
        if (!tailOmitted) expect(text.slice(covered).trim()).toBe('');
      }),
    );
  });

  it('keeps every bound, and every chunk is the slice it says it is', () => {
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

  it('never parts a surrogate pair', () => {
    fc.assert(
      fc.property(hardText, (text) => {
        for (const chunk of splitIntoChunks(text.toWellFormed()).chunks) expect(chunk.text.isWellFormed()).toBe(true);
      }),
    );
  });

  it('never parts a character from its accents', () => {
    const { chunks } = splitIntoChunks('e\u0301'.repeat(2000));
    for (const chunk of chunks) expect(chunk.text).toMatch(/^e/);
  });

  it('prefers a line border, then a word border, in the last 200 characters', () => {
    const line = `${'a'.repeat(1050)}\n${'b '.repeat(500)}`;
    expect(splitIntoChunks(line).chunks[0]?.end).toBe(1051);
    const words = 'word '.repeat(1000);
    expect(splitIntoChunks(words).chunks[0]?.text.endsWith(' ')).toBe(true);
  });

  it('overlaps by about 200 characters', () => {
    const [first, second] = splitIntoChunks('x'.repeat(5000)).chunks;
    expect((first?.end ?? 0) - (second?.start ?? 0)).toBe(CHUNK_OVERLAP);
  });

  it('stops at 64 chunks and says that the tail is missing', () => {
    const { chunks, tailOmitted } = splitIntoChunks('x'.repeat(200_000));
    expect(chunks).toHaveLength(MAX_CHUNKS);
    expect(tailOmitted).toBe(true);
  });

  it('makes no chunk of nothing', () => {
    expect(splitIntoChunks(' \n\t ')).toEqual({ chunks: [], tailOmitted: false });
  });
});
