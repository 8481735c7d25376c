import fc from 'fast-check';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import { judgePassword } from './judge-password.ts';

const dana = { username: 'dana.doe-1', email: 'dana.d@example.test' };

describe('a new password (ACC-6)', () => {
  it.each([
    ['the most common password', 'password', /common/],
    ['the same in upper case', 'PassWord', /common/],
    ['from the end of the list of common passwords', COMMON_PASSWORDS.trim().split(/\s/).at(-1) ?? '', /common/],
    ['digits in order', '1234567890', /common/],
    ['a common password between spaces', ' password123 ', /common/],
    ['blanks', ' '.repeat(12), /blanks/],
    ['a single letter', 'qqqqqqqqqqqq', /repeats one character/],
    ['the username', 'Dana.Doe-1', /own name/],
    ['the e-mail address', 'dana.d@example.test', /own name/],
    ['the local part of the address in full-width letters', 'ｄana.d', /own name/],
  ])('that is %s is refused', (_case, password, reason) => {
    expect(judgePassword(password, dana)).toMatch(reason);
  });

  it.each([
    'correct horse battery staple',
    'a long enough password',
    'password then 12345678',
    'dana.doe-1 & friends',
    'Пароль из слов',
  ])('%s is accepted', (password) => {
    expect(judgePassword(password, dana)).toBeUndefined();
  });

  it('is compared with more than ten thousand common ones', () => {
    expect(new Set(COMMON_PASSWORDS.trim().split(/\s/)).size).toBeGreaterThan(10_000);
  });
});

describe('the check of any password (ACC-6)', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 200 });
  const common = fc.constantFrom(...COMMON_PASSWORDS.trim().split(/\s/).slice(0, 500));
  const blanks = fc.stringMatching(/^[ \t\u00a0\u3000]{0,3}$/);
  const inAnyCase = (word: fc.Arbitrary<string>) =>
    fc
      .tuple(word, fc.infiniteStream(fc.boolean()))
      .map(([letters, stream]) =>
        [...letters].map((letter) => (stream.next().value === true ? letter.toUpperCase() : letter)).join(''),
      );

  it('does not depend on the case of its letters or on their encoding', () => {
    fc.assert(
      fc.property(text, (password) => {
        const verdict = judgePassword(password, dana);
        expect(judgePassword(password.normalize('NFD'), dana)).toBe(judgePassword(password.normalize('NFC'), dana));
        expect(judgePassword(password.toLowerCase(), dana)).toBe(verdict);
      }),
    );
  });

  it('refuses every common password, in any letter case and with any surrounding white space', () => {
    fc.assert(
      fc.property(blanks, inAnyCase(common), blanks, (before, password, after) => {
        expect(judgePassword(before + password + after, dana)).toBeDefined();
      }),
    );
  });

  it('refuses a single repeated character', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]$/), fc.integer({ min: 8, max: 200 }), (character, times) => {
        expect(judgePassword(character.repeat(times), dana)).toBeDefined();
      }),
    );
  });

  it('refuses the names of its user, but not other names', () => {
    const name = fc.stringMatching(/^[a-z]{4}[a-z0-9._-]{8,20}$/);
    fc.assert(
      fc.property(inAnyCase(name), name, (username, host) => {
        const owner = { username, email: `${username}.x@${host}.test` };
        for (const own of [username, username.toUpperCase(), owner.email, `${username}.x`])
          expect(judgePassword(own, owner)).toMatch(/own name/);
        expect(judgePassword(`${username} and more`, owner)).toBeUndefined();
      }),
    );
  });

  it('gives a reason that is a sentence and does not repeat the password', () => {
    fc.assert(
      fc.property(fc.oneof(common, text), (password) => {
        const reason = judgePassword(password, dana);
        if (reason === undefined) return;
        expect(reason).toMatch(/^[A-Z].*\.$/);
        // "password" occurs in the message itself.
        if (!/^(password|passwords)$/i.test(password.trim())) expect(reason).not.toContain(password);
      }),
    );
  });
});
