import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { PACKINGS, packBomb } from '@steward/testing';
import { unpackAnswer } from './unpack-answer.ts';

const MIB = 1024 * 1024;
const WORDS = 'Hello '.repeat(1000);
const answer = (encoding: string, body: Readable) => ({
  statusCode: 200,
  headers: { 'content-encoding': encoding, 'content-length': '77', 'content-type': 'text/plain' },
  body,
});

describe('a compressed response (GW-4)', () => {
  it.each([
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('with %s is decompressed, and the header is removed', async (encoding, pack) => {
    const unpacked = unpackAnswer(answer(encoding, Readable.from([pack(WORDS)])));
    expect(unpacked.headers).toEqual({ 'content-type': 'text/plain' });
    expect(await text(unpacked.body)).toBe(WORDS);
  });

  it.each(['identity', 'compress', 'gzip, br'])('with %s is passed on unchanged', (encoding) => {
    const given = answer(encoding, Readable.from(['x']));
    expect(unpackAnswer(given)).toBe(given);
  });

  it('is passed on without a body', async () => {
    const given = { ...answer('gzip', Readable.from([])), statusCode: 204 };
    expect(unpackAnswer(given)).toBe(given);
    const empty = { ...given, statusCode: 200, headers: { 'content-encoding': 'gzip', 'content-length': '0' } };
    expect(await text(unpackAnswer(empty).body)).toBe('');
  });

  it('results in an error if it is aborted or invalid', async () => {
    for (const bytes of [gzipSync(WORDS).subarray(0, 20), Buffer.from('no gzip at all')]) {
      await expect(text(unpackAnswer(answer('gzip', Readable.from([bytes]))).body)).rejects.toThrow();
    }
  });

  it.each(PACKINGS)(
    'results in an error if it decompresses to more than the limit, without filling the memory: %s (LIM-82)',
    async (packing) => {
      const { body } = unpackAnswer(answer(packing, Readable.from([packBomb(packing, 64 * MIB)])), 8 * MIB);
      let passed = 0;
      await expect(
        (async () => {
          for await (const chunk of body) {
            passed += (chunk as Buffer).byteLength;
            expect(body.readableLength).toBeLessThan(MIB);
          }
        })(),
      ).rejects.toThrow('the decompressed response is larger than 8388608 bytes');
      expect(passed).toBeLessThanOrEqual(8 * MIB);
    },
  );

  it('results in an error if its zstd header requests more memory than HTTP allows', async () => {
    const wide = zstdCompressSync(Buffer.alloc(64 * MIB, ' '), {
      params: { [constants.ZSTD_c_windowLog]: 26, [constants.ZSTD_c_enableLongDistanceMatching]: 1 },
      pledgedSrcSize: 64 * MIB,
    });
    await expect(text(unpackAnswer(answer('zstd', Readable.from([wide]))).body)).rejects.toThrow();
  });

  it('is cancelled if its reader stops reading', async () => {
    const from = new PassThrough();
    const closed = new Promise((resolve) => from.once('close', resolve));
    unpackAnswer(answer('gzip', from))
      .body.on('error', () => undefined)
      .destroy();
    await closed;
  });
});
