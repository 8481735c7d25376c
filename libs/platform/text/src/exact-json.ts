/** A number as it was written: `JSON.stringify` writes its text. */
interface RawNumber {
  readonly rawJSON: string;
}

/** Of the language, and not in the types of the compiler yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  readonly rawJSON: (text: string) => RawNumber;
  readonly isRawJSON: (value: unknown) => value is RawNumber;
};
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Only a text with one of these may hold a number that is written otherwise than it is read: a sixteenth digit, a point, an exponent, `-0`. */
const MAY_BE_INEXACT = /\d{16}|\d[.eE]|-0/;
/** Sign, digits before and behind the point, exponent. */
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * As `JSON.parse`, with numbers that would not be written as they were (`1917043659912705297`, `1e400`, `1.0`, `-0`) as values that
 * `JSON.stringify` writes as they were. Whoever reads such a value itself takes `toPlainJson`.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  if (!MAY_BE_INEXACT.test(text)) return JSON.parse(text) as unknown;
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isAsWritten(value, source) ? rawJSON(source) : value,
  );
}

/** Past 2^53 a double has neighbours: that this one is not read as one of them, its text alone tells. */
function isAsWritten(value: number, source: string): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER && JSON.stringify(value) === source;
}

/** Whether it is a number as it was written, which is an object to whoever does not ask. */
export function isExactNumber(value: unknown): value is RawNumber {
  return isRawJSON(value);
}

/** What a number as it was written comes to: a number of the same value, or its text where there is none. */
export function readExactNumber({ rawJSON: source }: RawNumber): number | string {
  const value = Number(source);
  return Number.isFinite(value) && normalize(source) === normalize(String(value)) ? value : source;
}

/** A copy without numbers as they were written: each is what it is read as. @param read - One that a double does not hold */
export function toPlainJson(value: unknown, read: (source: string) => unknown = Number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isRawJSON(value)) {
    const plain = readExactNumber(value);
    return typeof plain === 'string' ? read(plain) : plain;
  }
  if (Array.isArray(value)) return value.map((entry) => toPlainJson(entry, read));
  // `fromEntries` defines: `__proto__` is an ordinary key in JSON.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlainJson(member, read)]));
}

/** The same for people and search: a number that a double does not hold is its text. */
export function toReadableJson(value: unknown): unknown {
  return toPlainJson(value, String);
}

/** One text for each value: `1.50e1` and `15` are the same. An exponent that no number has stays as it is. */
function normalize(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  // A pattern would begin anew at each zero of a number that is a million of them.
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const significant = digits.slice(0, end);
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
