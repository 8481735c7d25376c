import pg from 'pg';
import { parseTimestamp } from './parse-timestamp.ts';

const { builtins } = pg.types;

/**
 * Parsers by type. bigint is parsed as a number: counts and sizes stay far below 2^53, and the parser throws an error
 * for a larger value, which is a bug. numeric is also parsed as a number, with the precision of a double.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [
    builtins.INT8,
    (text) => {
      const value = Number(text);
      if (!Number.isSafeInteger(value))
        throw new RangeError(`bigint ${text} cannot be represented exactly as a number`);
      return value;
    },
  ],
  [builtins.NUMERIC, Number],
  [builtins.TIMESTAMPTZ, parseTimestamp],
]);

/** Parsers of one pool; the driver's global table is not changed. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: string) {
    if (format !== 'binary') {
      const parser = parsers.get(oid);
      if (parser !== undefined) return parser as never;
    }
    return pg.types.getTypeParser(oid, format as 'text') as never;
  },
} as pg.CustomTypesConfig;
