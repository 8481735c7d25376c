import fc from 'fast-check';
import { createKeyHider } from './hide-key.ts';

const KEY = ['sk', 'aB3/dE5+fG7'].join('-');
/** Encodes a text in base64 without the last character, which may contain bits of the following text. */
const encode = (text: string): string =>
  Buffer.from(text)
    .toString('base64')
    .slice(0, Math.floor((text.length * 8) / 6));
const FORMS = [KEY, encodeURIComponent(KEY), encode(KEY)];
const hide = (pieces: readonly string[]): string => {
  const hider = createKeyHider(KEY);
  if (hider === undefined) throw new Error('the key is not looked for');
  return Buffer.concat([...pieces.map((piece) => hider.pass(Buffer.from(piece))), hider.end()]).toString();
};

describe('the API key of a model in a response (GW-5)', () => {
  it('is hidden however the response is split into chunks; everything else and the length are unchanged', () => {
    const parts = FORMS.flatMap((form) => [form, form.slice(0, 7), form.slice(3)]);
    const pieces = fc.array(fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom(...parts)));
    fc.assert(
      fc.property(pieces, (said) => {
        const expected = FORMS.reduce((text, form) => text.replaceAll(form, '*'.repeat(form.length)), said.join(''));
        expect(hide(said)).toBe(expected);
      }),
    );
  });

  it('is hidden in a response that arrived as a whole, as in its chunks', () => {
    const parts = FORMS.flatMap((form) => [form, form.slice(0, 7), form.slice(3)]);
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom(...parts))), (said) => {
        const whole = createKeyHider(KEY)?.hideWhole(Buffer.from(said.join('')));
        expect(whole?.toString()).toBe(hide(said));
      }),
    );
  });

  it.each([
    ['with its scheme in base64', Buffer.from(`Bearer ${KEY}`).toString('base64')],
    ['as a password in base64', Buffer.from(`user:${KEY}`).toString('base64')],
    ['in the midst of base64', Buffer.from(`{"k":"${KEY}"}`).toString('base64')],
    ['in base64 for URLs', Buffer.from(`x:${KEY}`).toString('base64url')],
    ['percent-encoded in small letters', encodeURIComponent(KEY).replace(/%../g, (code) => code.toLowerCase())],
    ['with slashes escaped', KEY.replaceAll('/', '\\/')],
  ])('is also hidden %s', (_how, form) => {
    const hidden = hide([`words ${form.slice(0, 9)}`, `${form.slice(9)} words`]);
    expect(hidden).toHaveLength(form.length + 12);
    expect(hidden).toMatch(/\*{15}/);
    const decoded = Buffer.from(hidden.slice(6, -6), 'base64').toString('latin1');
    expect(hidden + decoded).not.toContain(KEY.slice(3, 11));
  });

  it.each(['*'.repeat(8), '*'.repeat(20)])('is not hidden if it consists only of asterisks: %s', (mask) => {
    expect(createKeyHider(mask)).toBeUndefined();
  });

  it('is hidden regardless of the characters it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('*', 'a', '/'), minLength: 8, maxLength: 20 }), (key) => {
        const hider = createKeyHider(key);
        const bytes = hider?.pass(Buffer.from(`${key}${key} ${key.repeat(3)}`));
        return hider === undefined || bytes !== undefined;
      }),
    );
  });

  it('delays only text that may be the beginning of the key: an event is passed on immediately', () => {
    const hider = createKeyHider(KEY);
    const event = Buffer.from('data: {"delta":"words"}\n\n');
    expect(hider?.pass(event)).toBe(event);
    expect(hider?.end()).toHaveLength(0);
  });

  it('is hidden in every header', () => {
    expect(createKeyHider(KEY)?.hideText(`of ${KEY}, ${FORMS[2] ?? ''}`)).toBe(
      `of ${'*'.repeat(KEY.length)}, ${'*'.repeat(FORMS[2]?.length ?? 0)}`,
    );
  });

  it('is not hidden if it is too short', () => {
    expect([createKeyHider(undefined), createKeyHider('none')]).toEqual([undefined, undefined]);
  });
});
