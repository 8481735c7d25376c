import { countWalBytes } from './wal-position.ts';

describe('a position in the write-ahead log', () => {
  it.each([
    ['0/0', 0n],
    ['0/1', 1n],
    ['0/FFFFFFFF', 0xff_ff_ff_ffn],
    ['1/0', 0x1_00_00_00_00n],
    ['16/B374D848', 0x16_b3_74_d8_48n],
    ['FFFFFFFF/FFFFFFFF', 0xff_ff_ff_ff_ff_ff_ff_ffn],
  ])('%s is the number of bytes given by its two hexadecimal halves', (position, bytes) => {
    expect(countWalBytes(position)).toBe(bytes);
  });
});
