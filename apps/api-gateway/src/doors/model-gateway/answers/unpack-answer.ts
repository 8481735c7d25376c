import { pipeline, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { ProviderAnswer } from '../dial-models.ts';

/** What has come is given on at once: a stream is otherwise held up until its packer has filled a block. */
const SOON = { flush: constants.Z_SYNC_FLUSH };
const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(SOON),
  'x-gzip': () => createGunzip(SOON),
  deflate: () => createInflate(SOON),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ flush: constants.ZSTD_e_flush }),
};

/**
 * An answer that is packed although that was not asked for, unpacked: its usage is read, and withheld where only the gateway
 * asked for it. In any other encoding it goes on as it came.
 */
export function unpackAnswer(answer: ProviderAnswer): ProviderAnswer {
  const { 'content-encoding': encoding, 'content-length': length, ...headers } = answer.headers;
  const isEmpty = answer.statusCode === 204 || length === '0';
  const name = typeof encoding === 'string' && !isEmpty ? encoding.trim().toLowerCase() : '';
  const open = Object.hasOwn(UNPACKERS, name) ? UNPACKERS[name] : undefined;
  if (open === undefined) return answer;
  const body = open();
  // Whichever of them ends before its time ends the other; whoever reads hears of it there.
  pipeline(answer.body, body, () => undefined);
  return { statusCode: answer.statusCode, headers, body };
}
