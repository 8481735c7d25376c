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

describe('an answer that is packed (GW-4)', () => {
  it.each([
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('with %s is unpacked, and says nothing of it any more', async (encoding, pack) => {
    const unpacked = unpackAnswer(answer(encoding, Readable.from([pack(WORDS)])));
    expect(unpacked.headers).toEqual({ 'content-type': 'text/plain' });
    expect(await text(unpacked.body)).toBe(WORDS);
  });

  it.each(['identity', 'compress', 'gzip, br'])('with %s continues as it came', (encoding) => {
    const given = answer(encoding, Readable.from(['x']));
    expect(unpackAnswer(given)).toBe(given);
  });

  it('continues where it has no body', async () => {
    const given = { ...answer('gzip', Readable.from([])), statusCode: 204 };
    expect(unpackAnswer(given)).toBe(given);
    const empty = { ...given, statusCode: 200, headers: { 'content-encoding': 'gzip', 'content-length': '0' } };
    expect(await text(unpackAnswer(empty).body)).toBe('');
  });

  it('is broken where it breaks off or is none', async () => {
    for (const bytes of [gzipSync(WORDS).subarray(0, 20), Buffer.from('no gzip at all')]) {
      await expect(text(unpackAnswer(answer('gzip', Readable.from([bytes]))).body)).rejects.toThrow();
    }
  });

  it.each(PACKINGS)(
    'breaks where it unpacks to more than it may, and nothing piles up before that: %s (LIM-82)',
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
      ).rejects.toThrow('the decompressed answer is larger than 8388608 bytes');
      expect(passed).toBeLessThanOrEqual(8 * MIB);
    },
  );

  it('breaks where zstd asks for more memory than HTTP allows', async () => {
    const wide = zstdCompressSync(Buffer.alloc(64 * MIB, ' '), {
      params: { [constants.ZSTD_c_windowLog]: 26, [constants.ZSTD_c_enableLongDistanceMatching]: 1 },
      pledgedSrcSize: 64 * MIB,
    });
    await expect(text(unpackAnswer(answer('zstd', Readable.from([wide]))).body)).rejects.toThrow();
  });

  it('is given up where nobody reads it any more', async () => {
    const from = new PassThrough();
    const closed = new Promise((resolve) => from.once('close', resolve));
    unpackAnswer(answer('gzip', from))
      .body.on('error', () => undefined)
      .destroy();
    await closed;
  });
});
