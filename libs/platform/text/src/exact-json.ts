/** A number in its original notation, which `JSON.stringify` preserves. */
interface RawNumber {
  readonly rawJSON: string;
}

/** Functions that are part of the language, but not yet of the compiler's types. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  readonly rawJSON: (text: string) => RawNumber;
  readonly isRawJSON: (value: unknown) => value is RawNumber;
};
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/**
 * Matches JSON that may contain a number whose notation is lost by parsing: a sixteenth digit, a decimal point, an
 * exponent, `-0`.
 */
const MAY_BE_INEXACT = /\d{16}|\d[.eE]|-0/;
/** Matches a number: sign, digits before and after the decimal point, exponent. */
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Parses JSON as `JSON.parse` does, but keeps numbers whose notation would change (`1917043659912705297`, `1e400`,
 * `1.0`, `-0`) as values that `JSON.stringify` writes unchanged. Code that reads such values, instead of only passing
 * them on, has to convert them with `toPlainJson`.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  if (!MAY_BE_INEXACT.test(text)) return JSON.parse(text) as unknown;
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isAsWritten(value, source) ? rawJSON(source) : value,
  );
}

/**
 * Returns whether parsing preserves the notation of a number. Beyond 2^53 this is never assumed, since several integers
 * map to the same double.
 */
function isAsWritten(value: number, source: string): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER && JSON.stringify(value) === source;
}

/** Returns true if the value is a number in its original notation. Its `typeof` is not `number`, but `object`. */
export function isExactNumber(value: unknown): value is RawNumber {
  return isRawJSON(value);
}

/**
 * Reads a number in its original notation: as a JavaScript number, or as a string if no JavaScript number has the same
 * value.
 */
export function readExactNumber({ rawJSON: source }: RawNumber): number | string {
  const value = Number(source);
  return Number.isFinite(value) && normalize(source) === normalize(String(value)) ? value : source;
}

/**
 * Copies a value and converts each number in its original notation to an ordinary one.
 * @param read - reads a number that a double cannot hold
 */
export function toPlainJson(value: unknown, read: (source: string) => unknown = Number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isRawJSON(value)) {
    const plain = readExactNumber(value);
    return typeof plain === 'string' ? read(plain) : plain;
  }
  if (Array.isArray(value)) return value.map((entry) => toPlainJson(entry, read));
  // `fromEntries` defines properties: `__proto__` is an ordinary key in JSON.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlainJson(member, read)]));
}

/** Copies a value for display and search: a number that a double cannot hold becomes a string. */
export function toReadableJson(value: unknown): unknown {
  return toPlainJson(value, String);
}

/** Returns the same string for all notations of one value, for example for `1.50e1` and `15`. */
function normalize(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  // The loop replaces a regular expression, which would start again at each zero of a number with a million zeros.
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const significant = digits.slice(0, end);
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
