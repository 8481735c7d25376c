import pg from 'pg';

const parseAnyTimestamp = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date | number;

const DIGIT_ZERO = 48;

/**
 * Parses a timestamp in the server's format for UTC (`2026-11-21 12:34:56.789012+00`). It is four times as fast as the
 * driver's parser, which matters because a search result contains a hundred timestamps. All other forms (another time
 * zone, a year before 1000, infinity) are parsed by the driver.
 */
export function parseTimestamp(text: string): Date | number {
  const end = text.length - 3;
  const isUsual = end >= 19 && text.charCodeAt(4) === 45 && text.charCodeAt(0) > DIGIT_ZERO && text.endsWith('+00');
  if (!isUsual) return parseAnyTimestamp(text);
  const pair = (at: number): number => digit(text, at) * 10 + digit(text, at + 1);
  const year = pair(0) * 100 + pair(2);
  return new Date(Date.UTC(year, pair(5) - 1, pair(8), pair(11), pair(14), pair(17), readMilliseconds(text, end)));
}

function readMilliseconds(text: string, end: number): number {
  let value = 0;
  for (let at = 20, unit = 100; at < end && unit >= 1; at += 1, unit /= 10) value += digit(text, at) * unit;
  return value;
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - DIGIT_ZERO;
}
