import fc from 'fast-check';
import { packUnitVector, writeUnitVector } from './unit-vector.ts';

const read = (text: string | undefined): number[] => JSON.parse(text ?? '[]') as number[];

describe('writeUnitVector', () => {
  it('keeps the direction at length 1, whatever the length was', () => {
    expect(read(writeUnitVector(Float32Array.from([3, 4])))).toEqual([0.6, 0.8]);
    expect(read(writeUnitVector(Float32Array.from([3e30, 4e30])))[0]).toBeCloseTo(0.6, 6);
    expect(read(writeUnitVector(Float32Array.from([-5])))).toEqual([-1]);
  });

  it('has nothing to say of a vector without a direction', () => {
    for (const values of [[], [0, 0], [Number.NaN, 1], [Infinity, 0]]) {
      expect(writeUnitVector(Float32Array.from(values))).toBeUndefined();
    }
  });

  it('gives what half floats hold: no value is beyond 1, whatever came', () => {
    fc.assert(
      fc.property(fc.float32Array({ minLength: 1, maxLength: 50, noNaN: true, noDefaultInfinity: true }), (vector) => {
        const text = writeUnitVector(vector);
        return text === undefined || read(text).every((value) => Math.abs(value) <= 1.000_001);
      }),
    );
  });
});

describe('packUnitVector', () => {
  it('is the same vector, to the precision of a half float', () => {
    fc.assert(
      fc.property(fc.float32Array({ minLength: 1, maxLength: 50, noNaN: true, noDefaultInfinity: true }), (vector) => {
        const packed = packUnitVector(vector);
        const expected = writeUnitVector(vector);
        if (packed === undefined || expected === undefined) return packed === expected;
        const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
        return (
          view.getUint16(0) === vector.length &&
          packed.length === 4 + 2 * vector.length &&
          read(expected).every((value, index) => Math.abs(view.getFloat16(4 + 2 * index) - value) < 0.0005)
        );
      }),
    );
  });
});
