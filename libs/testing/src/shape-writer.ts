import { createSeededRandom } from './seeded-random.ts';

/** An invented credential in the text in which it usually occurs. */
export interface CredentialShape {
  readonly name: string;
  readonly text: string;
  /** The credential, which must not be readable anywhere. */
  readonly secret: string;
}

export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
export const LETTERS = LOWER + LOWER.toUpperCase();
const BASE62 = LETTERS + DIGITS;
const BASE64 = `${BASE62}+/`;
const URL64 = `${BASE62}_-`;
export const UPPER = LOWER.toUpperCase() + DIGITS;

/** Collects shapes and generates their values: the same seed gives the same values everywhere. */
export function createShapeWriter(seed: number) {
  const random = createSeededRandom(seed);
  const next = (): number => random() * 2 ** 32;
  const draw = (alphabet: string, length: number): string => {
    const text = Array.from({ length }, () => alphabet[next() % alphabet.length]).join('');
    // At least one digit and, if the alphabet has them, letters of both cases, as in any key of this length.
    const last = (kind: RegExp, part: string): string => (kind.test(text) || !kind.test(alphabet) ? '' : part);
    const fix = last(/\d/, '7') + last(/[A-Z]/, 'Q') + last(/[a-z]/, 'a');
    return fix.length >= length ? text : text.slice(0, length - fix.length) + fix;
  };
  const hex = (length: number): string => draw(HEX, length);
  const b62 = (length: number): string => draw(BASE62, length);
  const u64 = (length: number): string => draw(URL64, length - 1) + draw(BASE62, 1);
  const b64 = (length: number): string => draw(BASE64, length - 1) + draw(BASE62, 1);
  const digits = (length: number): string => `1${draw(DIGITS, length - 1)}`;
  const uuid = (): string => [8, 4, 4, 4, 12].map(hex).join('-');
  const password = (): string => `${draw(LOWER, 5)}-${draw(LETTERS, 4)}${draw(DIGITS, 3)}!`;
  const shapes: CredentialShape[] = [];
  /** Adds a shape. By default, `secret` is the only text of its line; `text` can place it in another one. */
  const add = (name: string, secret: string, text: (secret: string) => string = (value) => value): void => {
    shapes.push({ name, secret, text: text(secret) });
  };
  const token = (name: string, start: string, rest: string, text?: (secret: string) => string): void =>
    add(name, `${start}${rest}`, text);
  return { shapes, add, token, draw, hex, b62, u64, b64, digits, uuid, password };
}
