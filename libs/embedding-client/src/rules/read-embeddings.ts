/** Maximum number of dimensions in a halfvec index. */
export const MAX_VECTOR_WIDTH = 4000;

export type ReadEmbeddings =
  | {
      readonly kind: 'read';
      readonly vectors: readonly Float32Array[];
      readonly promptTokens: number | undefined;
    }
  | { readonly kind: 'unusable'; readonly detail: string };

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const BYTES_PER_NUMBER = 4;

/**
 * Returns the vectors of a response, one per input and in the order of the inputs, or a description of what is wrong
 * with the response (EMB-34).
 */
export function readEmbeddings(body: Buffer, count: number): ReadEmbeddings {
  const unusable = (detail: string): ReadEmbeddings => ({ kind: 'unusable', detail });
  const answer = parseObject(body);
  if (!Array.isArray(answer?.data)) return unusable('the response is not a list of embeddings');
  const items = answer.data as unknown[];
  if (items.length !== count) return unusable(`${items.length} embeddings for ${count} texts`);
  const ordered = order(items);
  if (ordered === undefined) return unusable('the embeddings are not numbered consecutively from 0');
  const vectors: Float32Array[] = [];
  for (const item of ordered) {
    const vector = readVector(item.embedding);
    const fault = vector === undefined ? 'an embedding is not a list of numbers' : findFault(vector, vectors[0]);
    if (vector === undefined || fault !== undefined) return unusable(fault ?? '');
    vectors.push(vector);
  }
  return { kind: 'read', vectors, promptTokens: readTokens(answer.usage) };
}

interface Item {
  readonly index?: unknown;
  readonly embedding?: unknown;
}

/**
 * Returns the items in the order of `index`, since some services send them in a different order; if no item has an
 * `index`, returns them as they were sent. Returns undefined if the items are not numbered consecutively from 0.
 */
function order(items: readonly unknown[]): readonly Item[] | undefined {
  if (!items.every(isObject)) return undefined;
  if (items.every(({ index }) => index === undefined)) return items;
  const places = new Map(items.map((item) => [item['index'], item]));
  const ordered = items.map((_item, place) => places.get(place)).filter((item) => item !== undefined);
  return ordered.length === items.length ? ordered : undefined;
}

function readVector(value: unknown): Float32Array | undefined {
  if (typeof value === 'string') {
    const bytes = BASE64.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(1);
    if (bytes.byteLength % BYTES_PER_NUMBER !== 0) return undefined;
    const vector = new Float32Array(bytes.byteLength / BYTES_PER_NUMBER);
    for (let place = 0; place < vector.length; place += 1) vector[place] = bytes.readFloatLE(place * BYTES_PER_NUMBER);
    return vector;
  }
  if (!Array.isArray(value) || !value.every((number) => typeof number === 'number')) return undefined;
  return Float32Array.from(value);
}

function findFault(vector: Float32Array, first: Float32Array = vector): string | undefined {
  if (vector.length === 0) return 'an embedding is empty';
  if (vector.length > MAX_VECTOR_WIDTH)
    return `an embedding has ${vector.length} dimensions, more than ${MAX_VECTOR_WIDTH}`;
  if (vector.length !== first.length) return `embeddings have ${first.length} and ${vector.length} dimensions`;
  // The values are checked after the conversion to 32 bits, because the conversion can make a value infinite or zero.
  if (!vector.every(Number.isFinite)) return 'an embedding contains a value that is not a number';
  return vector.every((number) => number === 0) ? 'all values of an embedding are zero' : undefined;
}

/**
 * Returns the token count of a response. A count of 0 is treated as missing, since calls of services that do not report
 * a count would otherwise be free.
 */
function readTokens(usage: unknown): number | undefined {
  const { prompt_tokens: prompt, total_tokens: total } = isObject(usage) ? usage : {};
  return [prompt, total].find((count): count is number => Number.isSafeInteger(count) && (count as number) > 0);
}

function parseObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
