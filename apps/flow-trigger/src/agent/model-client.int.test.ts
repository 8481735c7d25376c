import { preparePackedBombs, QUICK_BOMB_KINDS, startBombServer, type BombServer } from '@steward/testing';
import { callModel } from './model-client.ts';

let bombs: BombServer;
beforeAll(async () => {
  preparePackedBombs();
  bombs = await startBombServer();
});
afterAll(() => bombs.close());

describe('a malicious model (LIM-81)', () => {
  it.each(QUICK_BOMB_KINDS)('fails the run and nothing else: %s', async (kind) => {
    const access = { alias: 'm', apiKey: 'a-token' };
    const asked = callModel(
      { ...access, baseUrl: bombs.urlOf(kind) },
      { messages: [], tools: [], signal: new AbortController().signal },
    );
    await expect(asked).rejects.toMatchObject({ name: 'RunFailure' });
  });
});
