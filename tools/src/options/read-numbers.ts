/**
 * Parses a size in its usual notation: 50000, 50k, 1M.
 * @throws naming the option and the smallest size
 */
export function readSize(name: string, text: string, least: number): number {
  const [, digits = '', unit = ''] = /^(\d+)([kM]?)$/.exec(text.replaceAll('_', '')) ?? [];
  const size = Number(digits) * (unit === 'M' ? 1_000_000 : unit === 'k' ? 1000 : 1);
  if (digits === '' || size < least) throw new Error(`--${name}: "${text}" is not a size of at least ${least / 1000}k`);
  return size;
}

/**
 * Parses the value of an option.
 * @throws naming the option, if the value is not a number above 0
 */
export function readNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name}: "${text}" is not a number above 0`);
  return value;
}

/**
 * Parses a whole number.
 * @throws naming the option and the minimum, if the value is not a whole number of at least the minimum
 */
export function readCount(name: string, text: string, least = 1): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < least)
    throw new Error(`--${name}: "${text}" is not a number of at least ${least}`);
  return count;
}
