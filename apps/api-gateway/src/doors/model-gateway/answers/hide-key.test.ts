import fc from 'fast-check';
import { createKeyHider } from './hide-key.ts';

const KEY = ['sk', 'aB3/dE5+fG7'].join('-');
const FORMS = [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('base64').replace(/=+$/, '')];
const hide = (pieces: readonly string[]): string => {
  const hider = createKeyHider(KEY);
  if (hider === undefined) throw new Error('the key is not looked for');
  return Buffer.concat([...pieces.map((piece) => hider.pass(Buffer.from(piece))), hider.end()]).toString();
};

describe('the key of a model (GW-5)', () => {
  it('is nowhere in what its provider says, wherever that is cut; everything else stays, and its length', () => {
    const parts = FORMS.flatMap((form) => [form, form.slice(0, 7), form.slice(3)]);
    const pieces = fc.array(fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom(...parts)));
    fc.assert(
      fc.property(pieces, (said) => {
        const expected = FORMS.reduce((text, form) => text.replaceAll(form, '*'.repeat(form.length)), said.join(''));
        expect(hide(said)).toBe(expected);
      }),
    );
  });

  it('holds nothing back that cannot be its beginning: an event goes on when it came', () => {
    const hider = createKeyHider(KEY);
    const event = Buffer.from('data: {"delta":"words"}\n\n');
    expect(hider?.pass(event)).toBe(event);
    expect(hider?.end()).toHaveLength(0);
  });

  it('is in no header', () => {
    expect(createKeyHider(KEY)?.hideText(`of ${KEY}, ${FORMS[2] ?? ''}`)).toBe(
      `of ${'*'.repeat(KEY.length)}, ${'*'.repeat(FORMS[2]?.length ?? 0)}`,
    );
  });

  it('is not looked for where there is none to speak of', () => {
    expect([createKeyHider(undefined), createKeyHider('none')]).toEqual([undefined, undefined]);
  });
});
