import { createSecretBox } from './secret-box.ts';

const box = createSecretBox('a secret key of the deployment', 'webhook-secret');

describe('secrets at rest', () => {
  it('open with the same key, purpose and context', () => {
    const text = 'whsec_ä😀';
    expect(box.open(box.seal(text, 'row 1'), 'row 1')).toBe(text);
    expect(box.open(box.seal('', 'row 1'), 'row 1')).toBe('');
  });

  it('the same secret never gives the same bytes and never shows in them', () => {
    const sealed = box.seal('whsec_canary', 'row 1');
    expect(sealed.equals(box.seal('whsec_canary', 'row 1'))).toBe(false);
    expect(sealed.toString('latin1')).not.toContain('canary');
  });

  it('do not open in another row, under another key or for another purpose', () => {
    const sealed = box.seal('whsec_canary', 'row 1');
    expect(() => box.open(sealed, 'row 2')).toThrow();
    expect(() => createSecretBox('another key', 'webhook-secret').open(sealed, 'row 1')).toThrow();
    expect(() => createSecretBox('a secret key of the deployment', 'other').open(sealed, 'row 1')).toThrow();
  });

  it('do not open when a single byte was altered or cut off', () => {
    const sealed = box.seal('whsec_canary', 'row 1');
    for (let index = 0; index < sealed.length; index += 1) {
      const altered = Buffer.from(sealed);
      altered[index] = (altered[index] ?? 0) ^ 1;
      expect(() => box.open(altered, 'row 1')).toThrow();
      expect(() => box.open(sealed.subarray(0, index), 'row 1')).toThrow();
    }
  });
});
