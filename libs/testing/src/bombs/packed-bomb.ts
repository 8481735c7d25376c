import { brotliCompressSync, constants, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';

/** Names of the compression formats in `content-encoding`. */
export const PACKINGS = ['gzip', 'deflate', 'br', 'zstd'] as const;
export type Packing = (typeof PACKINGS)[number];

const MIB = 1024 * 1024;
const BLANKS = Buffer.alloc(MIB, ' ');
const BLANK = 0x20;
/**
 * Compression in formats that allow repeating the compressed form in one stream, so that the builder needs neither the
 * time nor the memory that the tested reader may not use.
 */
const IN_ROWS: Readonly<Record<Exclude<Packing, 'br'>, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
  deflate: (bytes) => deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH }),
  zstd: (bytes) => zstdCompressSync(bytes),
};

/** First bytes of a zlib stream (RFC 1950) with the highest level and the usual window. */
const ZLIB_HEADER = Buffer.from([0x78, 0xda]);
/** Empty last block of a deflate stream (RFC 1951). */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);
const ADLER_MODULUS = 65_521n;

/**
 * Returns bytes that decompress to this many spaces, which JSON allows before and after a value; about a thousandth of
 * that size.
 */
export function packBomb(packing: Packing, sizeBytes: number): Buffer {
  const parts = Math.ceil(sizeBytes / MIB);
  if (packing === 'br') {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };
    return brotliCompressSync(Buffer.alloc(parts * MIB, ' '), { params });
  }
  const one = IN_ROWS[packing](BLANKS);
  const rows = Array.from({ length: parts }, () => one);
  return Buffer.concat(packing === 'deflate' ? [ZLIB_HEADER, ...rows, endZlib(parts * MIB)] : rows);
}

/** Returns the end of a zlib stream of this many spaces: the last block, and the Adler-32 checksum of the spaces. */
function endZlib(sizeBytes: number): Buffer {
  const count = BigInt(sizeBytes);
  const low = (1n + BigInt(BLANK) * count) % ADLER_MODULUS;
  const high = (count + (BigInt(BLANK) * count * (count + 1n)) / 2n) % ADLER_MODULUS;
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(Number((high << 16n) | low));
  return Buffer.concat([LAST_BLOCK, checksum]);
}
