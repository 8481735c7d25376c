import { pipeline, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { ProviderAnswer } from '../call-providers.ts';

/**
 * Option that passes on received data at once: otherwise a stream would wait until the compressor has filled a block.
 */
const SOON = { flush: constants.Z_SYNC_FLUSH };
const ZSTD_WINDOW_LOG = 23;
/** Size limit after decompression: the longest model responses take a fifth of it (LIM-82). */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(SOON),
  'x-gzip': () => createGunzip(SOON),
  deflate: () => createInflate(SOON),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  // A Zstandard frame declares its window size, which is limited here to the maximum for HTTP (RFC 9659) instead of 128
  // MiB.
  zstd: () =>
    createZstdDecompress({
      flush: constants.ZSTD_e_flush,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
    }),
};

/**
 * Decompresses a response that was compressed although the request did not ask for compression. The gateway has to read
 * the usage in the response, and to withhold the usage if only the gateway requested it. A response with an unknown
 * encoding is passed on unchanged.
 */
export function unpackAnswer(answer: ProviderAnswer, maxBytes = MAX_UNPACKED_BYTES): ProviderAnswer {
  const { 'content-encoding': encoding, 'content-length': length, ...headers } = answer.headers;
  const isEmpty = answer.statusCode === 204 || length === '0';
  const name = typeof encoding === 'string' && !isEmpty ? encoding.trim().toLowerCase() : '';
  const open = Object.hasOwn(UNPACKERS, name) ? UNPACKERS[name] : undefined;
  if (open === undefined) return answer;
  const body = limitBytes(maxBytes);
  // If one of the streams ends early, the others are closed; the reader gets the error.
  pipeline(answer.body, open(), body, () => undefined);
  return { statusCode: answer.statusCode, headers, body };
}

/** Creates a stream that fails after passing a number of bytes. */
function limitBytes(maxBytes: number): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.byteLength;
      if (passed <= maxBytes) return done(null, chunk);
      done(new Error(`the decompressed response is larger than ${maxBytes} bytes`));
    },
  });
}
