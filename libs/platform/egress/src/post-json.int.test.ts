import { preparePackedBombs, QUICK_BOMB_KINDS, startBombServer, type BombServer } from '@steward/testing';
import { Agent } from 'undici';
import { classifyFailure } from './classify-failure.ts';
import { postJson } from './post-json.ts';

let bombs: BombServer;
const dispatcher = new Agent({ maxHeaderSize: 16 * 1024 });
beforeAll(async () => {
  preparePackedBombs();
  bombs = await startBombServer();
});
afterAll(async () => {
  await dispatcher.destroy();
  await bombs.close();
});

const post = (url: string, signal = new AbortController().signal) =>
  postJson({ dispatcher, url, headers: {}, body: '{}', signal, maxBytes: 256 * 1024, maxValues: 500 });

describe('the response of a JSON service (LIM-81, LIM-83)', () => {
  it.each(QUICK_BOMB_KINDS)('is returned within the limits; otherwise the error names the limit: %s', async (kind) => {
    if (kind === 'large header') {
      const error: unknown = await post(bombs.urlOf(kind)).catch((reason: unknown) => reason);
      expect(classifyFailure(error).error).toBe('the response headers are too large');
      return;
    }
    const { body, fault } = await post(bombs.urlOf(kind));
    expect(body).toHaveLength(0);
    const isPacked = /^(gzip|deflate|br|zstd)/.test(kind);
    expect(fault).toMatch(isPacked ? /compressed/ : /larger than 256 KiB|more than 500 members|deeper than 200 levels/);
  });

  it('times out at the time limit set by its caller', async () => {
    await expect(post(bombs.urlOf('slow text'), AbortSignal.timeout(200))).rejects.toThrow(/aborted|timeout/i);
  });
});
