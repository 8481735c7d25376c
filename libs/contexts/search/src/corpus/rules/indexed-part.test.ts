import fc from 'fast-check';
import { fingerprintCredential } from './credential-fingerprint.ts';
import { END_LENGTH, maskIndexedPart } from './mask-indexed-part.ts';
import { CHUNK_LENGTH, MAX_CHUNKS } from './split-into-chunks.ts';

const token = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW2xY4'].join('_');

describe('the part of a text that is indexed (CORP-3, LIM-28)', () => {
  it('leaves enough text for every possible chunk, even if much was masked', () => {
    expect(END_LENGTH).toBe(2 * (MAX_CHUNKS / 2) * CHUNK_LENGTH);
  });

  it('is the head and the tail, or the whole of a slightly longer text', () => {
    fc.assert(
      fc.property(fc.nat(50_000), (words) => {
        const text = Array.from({ length: words }, (_, index) => `w${index}`).join(' ');
        const { text: part, gapAt } = maskIndexedPart(text);
        if (text.length <= 2 * END_LENGTH) expect(part).toBe(text);
        expect(text.startsWith(part.slice(0, gapAt))).toBe(true);
        expect(text.endsWith(part.slice(gapAt ?? 0))).toBe(true);
        if (gapAt !== undefined) expect([gapAt, part.length]).toEqual([END_LENGTH, 2 * END_LENGTH]);
        expect(part.length).toBeLessThanOrEqual(2 * (END_LENGTH + 8192));
      }),
      { numRuns: 20 },
    );
  });

  it.each([0, 1, 4, 10, token.length - 1, token.length])(
    'shows no part of a credential where the text is truncated, %d characters in (MASK-1)',
    (left) => {
      const edge = END_LENGTH + 8192 - left;
      const filler = 'a '.repeat(edge).slice(0, edge - 1);
      for (const text of [`${filler} ${token} ${'b '.repeat(90_000)}`, `${'b '.repeat(90_000)} ${token} ${filler}`]) {
        const { text: masked, gapAt } = maskIndexedPart(text);
        expect(gapAt).toBeDefined();
        expect(masked).not.toMatch(/ghp_|aB3dE|U1vW2xY4/);
      }
    },
  );

  it('shows no part of a credential if everything around it was masked', () => {
    const keys = Array.from({ length: 8000 }, (_, index) => `${token.slice(0, -4)}${String(index).padStart(4, '0')}`);
    const { text } = maskIndexedPart(keys.join(' '));
    expect(text).not.toMatch(/ghp_|aB3dE|[A-Za-z]\d{4}/);
  });

  it('returns the findings, so that they can be stored', () => {
    expect(maskIndexedPart(`say ${token}`)).toEqual({
      text: 'say [redacted]',
      gapAt: undefined,
      isMasked: true,
      credentials: [expect.objectContaining({ secret: token })],
    });
    expect(maskIndexedPart('nothing here')).toEqual({
      text: 'nothing here',
      gapAt: undefined,
      isMasked: false,
      credentials: [],
    });
  });
});

describe('the fingerprint of a credential', () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

  it('is equal for the same credential of an account, and for no other credential', () => {
    expect(fingerprintCredential(key, token)).toEqual(fingerprintCredential(key, token));
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, two) => {
        expect(fingerprintCredential(key, one).equals(fingerprintCredential(key, two))).toBe(one === two);
      }),
    );
  });

  it('is different in another account, which has another key', () => {
    expect(fingerprintCredential(key, token)).not.toEqual(fingerprintCredential(other, token));
  });

  it('is 16 bytes and does not contain the credential', () => {
    const print = fingerprintCredential(key, token);
    expect(print).toHaveLength(16);
    expect(print.toString('latin1')).not.toContain(token.slice(0, 4));
  });
});
