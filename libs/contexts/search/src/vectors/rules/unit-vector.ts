const HEADER_BYTES = 4;

/**
 * Returns the vector normalized to length 1, in the binary format of a `halfvec` in Postgres: the number of dimensions,
 * two zero bytes, then half floats, each with the most significant byte first. Returns undefined for a vector without a
 * direction (zero, or not finite), which no index would ever find. For vectors of length 1, the inner product is the
 * cosine, and no half float overflows. The text form is not used: formatting and parsing numbers is most of the cost of
 * storing a vector (ADR 0067).
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

/**
 * Returns the packed vector.
 * @throws RangeError for a vector that cannot be normalized or does not have `width` dimensions
 */
export function requireUnitVector(vector: Float32Array, width: number): Buffer {
  const packed = vector.length === width ? packUnitVector(vector) : undefined;
  if (packed === undefined) throw new RangeError(`not a vector of ${width} dimensions with a direction`);
  return packed;
}

function measureLength(vector: Float32Array): number | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return Number.isFinite(length) && length > 0 ? length : undefined;
}
