import fc from 'fast-check';
import { packUnitVector, requireUnitVector } from './unit-vector.ts';

/** Unpacks a vector in the same way as Postgres: the dimensions, two zero bytes, half floats. */
function unpack(packed: Buffer | undefined): number[] {
  if (packed === undefined) return [];
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  expect([packed.length, view.getUint16(2)]).toEqual([4 + 2 * view.getUint16(0), 0]);
  return Array.from({ length: view.getUint16(0) }, (_, index) => view.getFloat16(4 + 2 * index));
}

const HALF = 0.0005;

describe('packUnitVector', () => {
  it('retains the direction at length 1, for any length', () => {
    expect(unpack(packUnitVector(Float32Array.from([3, 4])))).toEqual([Math.f16round(0.6), Math.f16round(0.8)]);
    expect(unpack(packUnitVector(Float32Array.from([3e30, 4e30])))[0]).toBeCloseTo(0.6, 3);
    expect(unpack(packUnitVector(Float32Array.from([-5])))).toEqual([-1]);
  });

  it('returns nothing for a vector that cannot be normalized', () => {
    for (const values of [[], [0, 0], [Number.NaN, 1], [Infinity, 0]]) {
      expect(packUnitVector(Float32Array.from(values))).toBeUndefined();
    }
  });

  it('is the vector divided by its length, to the precision of a half float: no value exceeds 1', () => {
    fc.assert(
      fc.property(fc.float32Array({ minLength: 1, maxLength: 50, noNaN: true, noDefaultInfinity: true }), (vector) => {
        const packed = packUnitVector(vector);
        const length = Math.hypot(...vector);
        if (packed === undefined) return length === 0 || !Number.isFinite(length ** 2);
        const values = unpack(packed);
        return (
          values.length === vector.length &&
          values.every((value, index) => Math.abs(value) <= 1 && Math.abs(value - (vector[index] ?? 0) / length) < HALF)
        );
      }),
    );
  });
});

describe('requireUnitVector', () => {
  it('refuses a vector with the wrong number of dimensions or without a direction', () => {
    expect(unpack(requireUnitVector(Float32Array.from([0, 2]), 2))).toEqual([0, 1]);
    for (const values of [[1], [1, 2, 3], [0, 0]]) {
      expect(() => requireUnitVector(Float32Array.from(values), 2)).toThrow(
        'not a vector of 2 dimensions with a direction',
      );
    }
  });
});
