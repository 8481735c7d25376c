/**
 * The vector at length 1, in Postgres notation; undefined for one without a direction (zero, or not finite), which no
 * index would ever find. At equal length an inner product is the cosine, and nothing overflows the half floats it is
 * stored in.
 */
export function writeUnitVector(vector: Float32Array): string | undefined {
  const length = measureLength(vector);
  return length === undefined ? undefined : `[${Array.from(vector, (value) => value / length).join(',')}]`;
}

/** @throws RangeError for a vector without a direction or of another width */
export function requireUnitVector(vector: Float32Array, width: number): string {
  const text = vector.length === width ? writeUnitVector(vector) : undefined;
  if (text === undefined) throw new RangeError(`not a direction of ${width} dimensions`);
  return text;
}

const HEADER_BYTES = 4;

/**
 * The same in the binary format of `halfvec` (the width, two zero bytes, half floats in big-endian order). For many
 * vectors: text conversion is most of the cost of storing them (32 of 384: 9 ms instead of 0.3 ms).
 */
export function packUnitVector(vector: Float32Array): Buffer | undefined {
  const length = measureLength(vector);
  if (length === undefined) return undefined;
  const bytes = Buffer.alloc(HEADER_BYTES + 2 * vector.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint16(0, vector.length);
  for (let index = 0; index < vector.length; index += 1) {
    view.setFloat16(HEADER_BYTES + 2 * index, (vector[index] ?? 0) / length);
  }
  return bytes;
}

function measureLength(vector: Float32Array): number | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return Number.isFinite(length) && length > 0 ? length : undefined;
}
