import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { unpackAnswer } from './unpack-answer.ts';

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

  it.each(['identity', 'compress', 'gzip, br'])('with %s goes on as it came', (encoding) => {
    const given = answer(encoding, Readable.from(['x']));
    expect(unpackAnswer(given)).toBe(given);
  });

  it('goes on where it has no body', async () => {
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

  it('is given up where nobody reads it any more', async () => {
    const from = new PassThrough();
    const closed = new Promise((resolve) => from.once('close', resolve));
    unpackAnswer(answer('gzip', from))
      .body.on('error', () => undefined)
      .destroy();
    await closed;
  });
});
