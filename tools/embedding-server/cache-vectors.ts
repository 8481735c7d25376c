import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Encoded, Encoder } from './start-encoder.ts';

/**
 * Sizes of the parts of a record in bytes: the hash of the text, the number of tokens, and the numbers of the vector.
 */
const HASH_BYTES = 32;
const WIDTH = 512;
const RECORD_BYTES = HASH_BYTES + 4 + WIDTH * 4;

/**
 * Caches encoded texts in a file, so that the next run of a bench need not encode them again. Only one process may use
 * the file at a time.
 */
export function cacheVectors(encoder: Encoder, file: string): Encoder {
  mkdirSync(dirname(file), { recursive: true });
  const known = readRecords(file);
  return {
    async encode(text) {
      const hash = createHash('sha256').update(text).digest();
      const key = hash.toString('latin1');
      const found = known.get(key);
      if (found !== undefined) return found;
      const encoded = await encoder.encode(text);
      known.set(key, encoded);
      const tokens = Buffer.alloc(4);
      tokens.writeUInt32LE(encoded.tokens);
      appendFileSync(file, Buffer.concat([hash, tokens, Buffer.from(encoded.vector.buffer)]));
      return encoded;
    },
    close: () => encoder.close(),
  };
}

function readRecords(file: string): Map<string, Encoded> {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const records = new Map<string, Encoded>();
  // This removes the incomplete record of an interrupted run: otherwise the next one would be misaligned.
  if (bytes.length % RECORD_BYTES > 0) truncateSync(file, bytes.length - (bytes.length % RECORD_BYTES));
  for (let at = 0; at + RECORD_BYTES <= bytes.length; at += RECORD_BYTES) {
    const record = bytes.subarray(at, at + RECORD_BYTES);
    const vector = new Float32Array(new Uint8Array(record.subarray(HASH_BYTES + 4)).buffer);
    records.set(record.toString('latin1', 0, HASH_BYTES), { vector, tokens: record.readUInt32LE(HASH_BYTES) });
  }
  return records;
}
