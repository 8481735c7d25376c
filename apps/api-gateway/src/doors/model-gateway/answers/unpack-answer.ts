import { pipeline, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { ProviderAnswer } from '../dial-models.ts';

/** What has come is given on at once: a stream is otherwise held up until its packer has filled a block. */
const SOON = { flush: constants.Z_SYNC_FLUSH };
const ZSTD_WINDOW_LOG = 23;
/** Unpacked: the longest answers of models come to a fifth of it (LIM-82). */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(SOON),
  'x-gzip': () => createGunzip(SOON),
  deflate: () => createInflate(SOON),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  // A frame says how much of it is to be remembered: what HTTP allows (RFC 9659), not 128 MiB.
  zstd: () =>
    createZstdDecompress({
      flush: constants.ZSTD_e_flush,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
    }),
};

/**
 * An answer that is packed although that was not asked for, unpacked: its usage is read, and withheld where only the gateway
 * asked for it. In any other encoding it goes on as it came.
 */
export function unpackAnswer(answer: ProviderAnswer, maxBytes = MAX_UNPACKED_BYTES): ProviderAnswer {
  const { 'content-encoding': encoding, 'content-length': length, ...headers } = answer.headers;
  const isEmpty = answer.statusCode === 204 || length === '0';
  const name = typeof encoding === 'string' && !isEmpty ? encoding.trim().toLowerCase() : '';
  const open = Object.hasOwn(UNPACKERS, name) ? UNPACKERS[name] : undefined;
  if (open === undefined) return answer;
  const body = limitBytes(maxBytes);
  // Whichever of them ends before its time ends the others; whoever reads hears of it there.
  pipeline(answer.body, open(), body, () => undefined);
  return { statusCode: answer.statusCode, headers, body };
}

/** A stream that breaks where it has passed so many bytes on. */
function limitBytes(maxBytes: number): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.byteLength;
      if (passed <= maxBytes) return done(null, chunk);
      done(new Error(`the decompressed answer is larger than ${maxBytes} bytes`));
    },
  });
}
