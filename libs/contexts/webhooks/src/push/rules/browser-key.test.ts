import { createECDH } from 'node:crypto';
import { isBrowserKey } from './browser-key.ts';

const key = createECDH('prime256v1').generateKeys();

/** Returns the key with another first or last byte. */
function change(at: number, to: number): string {
  const changed = Buffer.from(key);
  changed[at] = to;
  return changed.toString('base64url');
}

describe('the public key of a browser (NTC-9)', () => {
  it('is a point of the curve', () => {
    expect(isBrowserKey(key.toString('base64url'))).toBe(true);
  });

  it.each([
    ['a point beside the curve', change(64, (key[64] ?? 0) ^ 1)],
    ['another format', change(0, 5)],
    ['zeros', Buffer.alloc(65).toString('base64url')],
    ['nothing', ''],
  ])('is not %s', (_name, text) => {
    expect(isBrowserKey(text)).toBe(false);
  });
});
