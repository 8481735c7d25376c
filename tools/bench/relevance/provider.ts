import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { cacheVectors } from '../../embedding-server/cache-vectors.ts';
import { MODEL } from '../../embedding-server/model.ts';
import { startEmbeddingServer } from '../../embedding-server/start-embedding-server.ts';
import { startEncoder } from '../../embedding-server/start-encoder.ts';
import { WORKSPACE_ROOT } from '../../src/workspace.ts';

export interface Provider {
  readonly provider: 'generic_compatible';
  readonly baseUrl: string;
  readonly model: string;
}

/** Cache of results that take the model minutes to compute, in a folder that git ignores. */
const CACHE_FILE = resolve(WORKSPACE_ROOT, '.local/relevance/vectors.bin');

/** Starts the embedding server on this machine, with the cached vectors of earlier runs. */
export async function startProvider() {
  const encoder = await startEncoder(availableParallelism());
  const server = await startEmbeddingServer({ encoder: cacheVectors(encoder, CACHE_FILE), port: 0 });
  const provider: Provider = { provider: 'generic_compatible', baseUrl: server.baseUrl, model: MODEL };
  return { provider, origin: server.origin, close: () => server.close() };
}
