import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

/** Names of the compression formats in `content-encoding`. */
export const PACKINGS = ['gzip', 'deflate', 'br', 'zstd'] as const;
export type Packing = (typeof PACKINGS)[number];

const MIB = 1024 * 1024;
const BLANKS = Buffer.alloc(MIB, ' ');
/**
 * Compression in formats that allow repeating the compressed form in one stream, so that the builder needs no more
 * memory than the tested reader may use.
 */
const IN_ROWS: Readonly<Record<Exclude<Packing, 'deflate' | 'br'>, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
  zstd: (bytes) => zstdCompressSync(bytes),
};

/**
 * Returns bytes that decompress to this many spaces, which JSON allows before and after a value; about a thousandth of
 * that size.
 */
export function packBomb(packing: Packing, sizeBytes: number): Buffer {
  const parts = Math.ceil(sizeBytes / MIB);
  if (packing === 'gzip' || packing === 'zstd') {
    const one = IN_ROWS[packing](BLANKS);
    return Buffer.concat(Array.from({ length: parts }, () => one));
  }
  const bytes = Buffer.alloc(parts * MIB, ' ');
  if (packing === 'deflate') return deflateSync(bytes, { level: 9 });
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}
