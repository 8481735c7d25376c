import { createEmbeddingClient } from '@steward/embedding-client';
import { makeText, type RawLoopCommand } from '../worker-messages.ts';

/**
 * The raw loop is the upper bound: the same calls by the same client, and nothing else: no database, no claims, no
 * limit.
 */
process.once('message', ({ baseUrl, concurrency, batchSize, chunks }: RawLoopCommand) => {
  const client = createEmbeddingClient({ insecureOrigins: [new URL(baseUrl).origin], allowedPrivateCidrs: [] });
  let next = 0;

  async function work(): Promise<void> {
    while (next < chunks) {
      const size = Math.min(batchSize, chunks - next);
      const inputs = Array.from({ length: size }, (_, index) => makeText(next + index));
      next += size;
      const outcome = await client.embed({ baseUrl, apiKey: undefined, model: 'bench', inputs, timeoutMs: 30_000 });
      if (outcome.kind !== 'embedded') throw new Error(`the provider of the bench reported ${outcome.kind}`);
    }
  }
  void Promise.all(Array.from({ length: concurrency }, work)).then(async () => {
    await client.close();
    process.send?.({ kind: 'done' });
  });
});
process.once('disconnect', () => process.exit(0));
