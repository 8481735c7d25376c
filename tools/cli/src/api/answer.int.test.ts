import { preparePackedBombs, startBombServer, type BombKind, type BombServer } from '@steward/testing';
import { readAnswer } from './answer.ts';

let bombs: BombServer;
beforeAll(async () => {
  preparePackedBombs();
  bombs = await startBombServer();
});
afterAll(() => bombs.close());

describe('a response of the service to the command line', () => {
  it.each<BombKind>(['gzip', 'br', 'zstd', 'gzip twice', 'endless text'])('is read up to 64 MiB: %s', async (kind) => {
    await expect(readAnswer(await fetch(bombs.urlOf(kind)))).rejects.toThrow(
      'The response of the service is larger than 64 MiB.',
    );
  });

  it('is read completely if it is within the limit', async () => {
    const body = JSON.stringify({ text: 'ä😀'.repeat(50_000) });
    expect(await readAnswer(new Response(body))).toEqual({ status: 200, body: JSON.parse(body) as unknown });
    expect(await readAnswer(new Response('<html>', { status: 502 }))).toEqual({ status: 502, body: {} });
  });
});
