import { AppError } from '@steward/contracts';
import { measureJson } from './measure-json.ts';

/** Maximum depth of a body: validation and serialization are recursive, and no legitimate client nests more deeply. */
export const MAX_JSON_DEPTH = 200;
/**
 * Maximum number of members of objects and entries of arrays, on all levels together. 2 MiB of rows with ten columns
 * contain 100,000 members. A body with more values than the maximum would block the only thread for too long.
 */
export const MAX_JSON_VALUES = 200_000;
/**
 * Maximum number of different member names: each costs ten times as much as a repeated one. A lock file with 2,000
 * packages has 3,000 different names.
 */
export const MAX_JSON_NAMES = 20_000;
/**
 * Size of a body below which `MAX_JSON_NAMES` cannot be exceeded: each member has at least five bytes (a name of one
 * character, its quotes, a colon and a value). Nearly every body is smaller.
 */
const LEAST_BYTES_OF_NAMES = MAX_JSON_NAMES * 5;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body from its bytes. A byte order mark is accepted; invalid UTF-8, excessive nesting and too many
 * values or names are rejected.
 */
export function parseJson(bytes: Buffer): unknown {
  return parseJsonText(bytes).value;
}

/**
 * Parses a JSON body, and also returns the original string, for callers that store it unchanged.
 * @param mostValues - maximum number of values, for a route whose bodies have one known structure
 */
export function parseJsonText(
  bytes: Buffer,
  mostValues = MAX_JSON_VALUES,
): { readonly text: string; readonly value: unknown } {
  refuseExcess(bytes, mostValues);
  try {
    const text = decoder.decode(bytes);
    return { text, value: JSON.parse(text) as unknown };
  } catch (error) {
    // The parser's own message is omitted, since it contains parts of the body, which may contain a secret.
    throw new AppError('malformed_json', { cause: error });
  }
}

/**
 * Refuses a body that is too expensive to parse.
 * @throws malformed_json for excessive nesting, payload_too_large for too many values or names
 */
function refuseExcess(bytes: Buffer, mostValues: number): void {
  const { isTooDeep, values, names } = measureJson(bytes, {
    maxDepth: MAX_JSON_DEPTH,
    countsNames: bytes.length > LEAST_BYTES_OF_NAMES,
  });
  if (isTooDeep) {
    throw new AppError('malformed_json', {
      message: `The JSON body is nested deeper than ${MAX_JSON_DEPTH} levels.`,
    });
  }
  if (values > mostValues) throw refuseCount('object members and array entries', values, mostValues);
  if (names > MAX_JSON_NAMES) throw refuseCount('different member names', names, MAX_JSON_NAMES);
}

function refuseCount(what: string, actual: number, limit: number): AppError {
  return new AppError('payload_too_large', {
    message: `The JSON body has ${actual} ${what}; at most ${limit} are accepted. Split the request, or send data as strings.`,
    detail: { limit, actual, overage: actual - limit },
  });
}
