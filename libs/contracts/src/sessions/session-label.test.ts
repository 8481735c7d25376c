import fc from 'fast-check';
import { createAjv } from '../compile/create-ajv.ts';
import { MOST_SESSION_LABELS, SESSION_LABEL } from './session-label.ts';

const fits = createAjv().compile({ type: 'string', ...SESSION_LABEL });
// An import applies the same pattern to files as the routes do.
const pattern = new RegExp(SESSION_LABEL.pattern, 'u');

describe('a label of a session (SESS-17)', () => {
  it.each([
    ['by convention', 'repo:steward'],
    ['a colon in its value', 'url:https://a.test:8000/x'],
    ['white space within its value', 'person:Dana Scully'],
    ['signs of any script', 'persön:Zoë 山田'],
    ['the shortest key and value', 'a:b'],
    ['the longest key', `${'k'.repeat(40)}:v`],
    ['the longest value', `k:${'v'.repeat(200)}`],
    ['both', `${'k'.repeat(40)}:${'v'.repeat(200)}`],
    ['the longest of signs that take two units each', `${'🔑'.repeat(40)}:${'🔒'.repeat(200)}`],
    ['a value that is a colon', 'k::'],
  ])('can have %s', (_what, label) => {
    expect([fits(label), pattern.test(label)]).toEqual([true, true]);
  });

  it.each([
    ['no colon', 'repo'],
    ['no key', ':v'],
    ['no value', 'k:'],
    ['nothing', ''],
    ['white space in its key', 're po:v'],
    ['a line end in its key', 're\npo:v'],
    ['a space of no width to break at in its key', 're\u00a0po:v'],
    ['a key that is too long', `${'k'.repeat(41)}:v`],
    ['a value that is too long', `k:${'v'.repeat(201)}`],
    ['white space before its value', 'k: v'],
    ['white space behind its value', 'k:v '],
    ['white space as its value', 'k: '],
    ['a line end behind its value', 'k:v\n'],
    ['a line end within its value', 'k:v\nw'],
    ['a control character', 'k:v\u0007w'],
    ['NUL', 'k:v\u0000w'],
    ['a control character in its key', 'k\u0007:v'],
    ['a control character of the upper half', 'k:v\u0085w'],
  ])('cannot have %s', (_what, label) => {
    expect([fits(label), pattern.test(label)]).toEqual([false, false]);
  });

  it('is split at the first colon, for any parts', () => {
    const key = fc.stringMatching(/^[^\s:\p{Cc}]{1,40}$/u);
    const value = fc.stringMatching(/^[^\s\p{Cc}]([^\p{Cc}]{0,100}[^\s\p{Cc}])?$/u);
    fc.assert(
      fc.property(key, value, (name, said) => {
        const label = `${name}:${said}`;
        expect(fits(label)).toBe(true);
        expect([label.slice(0, label.indexOf(':')), label.slice(label.indexOf(':') + 1)]).toEqual([name, said]);
      }),
    );
  });

  it('is either accepted by both the schema and the pattern or rejected by both, for any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(fits(text)).toBe(pattern.test(text));
      }),
    );
  });

  it('is accepted up to 32 times per session', () => {
    expect(MOST_SESSION_LABELS).toBe(32);
  });
});
