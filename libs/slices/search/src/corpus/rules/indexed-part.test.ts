import fc from 'fast-check';
import { fingerprintCredential } from './credential-fingerprint.ts';
import { cutIndexedPart, INDEXED_LENGTH, maskIndexedPart } from './mask-indexed-part.ts';
import { CHUNK_LENGTH, MAX_CHUNKS } from './split-into-chunks.ts';

const token = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW2xY4'].join('_');

describe('the part of a text that is indexed (CORP-3, LIM-28)', () => {
  it('leaves enough for every chunk there may be, also when much of it was masked', () => {
    expect(INDEXED_LENGTH).toBe(2 * MAX_CHUNKS * CHUNK_LENGTH);
  });

  it('is the beginning, and the whole of what is shorter', () => {
    fc.assert(
      fc.property(fc.nat(400_000), (length) => {
        const text = 'x'.repeat(length);
        const part = cutIndexedPart(text);
        expect(text.startsWith(part)).toBe(true);
        if (length <= INDEXED_LENGTH) expect(part).toBe(text);
        expect(part.length).toBeLessThanOrEqual(INDEXED_LENGTH + 8192);
      }),
      { numRuns: 20 },
    );
  });

  it('shows no half of a credential that lies across its end (MASK-1)', () => {
    for (const left of [0, 1, 4, 10, token.length - 1, token.length]) {
      const text = `${'a '.repeat((INDEXED_LENGTH - left) / 2)}${token} ${'b '.repeat(20_000)}`;
      const { text: masked } = maskIndexedPart(text);
      expect(masked.slice(0, INDEXED_LENGTH)).not.toMatch(/ghp_|aB3dE/);
    }
  });

  it('answers what was found in it, so that it can be told again', () => {
    expect(maskIndexedPart(`say ${token}`)).toEqual({
      text: 'say [redacted]',
      credentials: [expect.objectContaining({ secret: token })],
    });
    expect(maskIndexedPart('nothing here')).toEqual({ text: 'nothing here', credentials: [] });
  });
});

describe('the fingerprint of a credential', () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

  it('is the same for the same credential of an account, and for no other', () => {
    expect(fingerprintCredential(key, token)).toEqual(fingerprintCredential(key, token));
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, two) => {
        expect(fingerprintCredential(key, one).equals(fingerprintCredential(key, two))).toBe(one === two);
      }),
    );
  });

  it('tells nothing to another account: under its key it is another', () => {
    expect(fingerprintCredential(key, token)).not.toEqual(fingerprintCredential(other, token));
  });

  it('is 16 bytes and holds nothing of what it stands for', () => {
    const print = fingerprintCredential(key, token);
    expect(print).toHaveLength(16);
    expect(print.toString('latin1')).not.toContain(token.slice(0, 4));
  });
});
