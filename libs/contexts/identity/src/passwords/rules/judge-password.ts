import { COMMON_PASSWORDS } from './common-passwords.ts';

/** The owner of the password, whose own names an attacker would try first. */
export interface PasswordOwner {
  readonly username: string;
  readonly email: string;
}

/** Returns the reason why a new password is refused, as a sentence for its owner; undefined if it is accepted. */
export function judgePassword(password: string, owner: PasswordOwner): string | undefined {
  const folded = fold(password);
  if (folded.trim() === '') return 'A password that consists only of blanks is too easy to guess.';
  if (new Set(folded).size === 1) return 'A password that repeats one character is too easy to guess.';
  const names = [owner.username, owner.email, owner.email.split('@', 1)[0] ?? ''];
  if (names.some((name) => fold(name) === folded.trim()))
    return 'A password that is your own name or email address is too easy to guess.';
  if (isCommon(folded.trim())) return 'This password is among the most common ones. Choose another.';
  return undefined;
}

function isCommon(folded: string): boolean {
  return !/\s/.test(folded) && COMMON_WORDS.includes(` ${folded} `);
}

const COMMON_WORDS = COMMON_PASSWORDS.replaceAll('\n', ' ');

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
