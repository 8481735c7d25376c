import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { cacheVectors } from './cache-vectors.ts';
import { FAULTS, type Fault } from './faults.ts';
import { DEFAULT_PORT, MODEL } from './model.ts';
import { startEmbeddingServer } from './start-embedding-server.ts';
import { startEncoder } from './start-encoder.ts';

const HELP = `npm run embedding-server -- [--port N] [--threads N] [--api-key KEY] [--cache FILE] [--fault NAME]

Serves embeddings of ${MODEL} (512 dimensions, English) on this machine with the API of OpenAI. For tests, and for
trying semantic search without an account at a provider; not for production.

  --port      port (default: ${DEFAULT_PORT})
  --threads   number of strings encoded at once; each thread takes about 200 MB
  --api-key   key that every call must have
  --cache     file that stores vectors between runs
  --fault     how every call fails: ${FAULTS.join(', ')}
              (also while it runs: PUT /fault {"fault": "rate_limited", "times": 3})`;

/** Runs `npm run embedding-server`. */
const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    threads: { type: 'string' },
    'api-key': { type: 'string' },
    cache: { type: 'string' },
    fault: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) {
  console.log(HELP);
  process.exit(0);
}
const encoder = await startEncoder(Number(values.threads ?? Math.max(1, availableParallelism() - 1)), {
  onFailure(error) {
    console.error(`embedding server: ${error.message}; strings can no longer be embedded`);
    process.exit(1);
  },
});
const server = await startEmbeddingServer({
  encoder: values.cache === undefined ? encoder : cacheVectors(encoder, values.cache),
  port: Number(values.port ?? DEFAULT_PORT),
  apiKey: values['api-key'],
});
if (values.fault !== undefined) server.setFault(values.fault as Fault);
console.log(`embedding server: base_url ${server.baseUrl}, model ${MODEL}
The gateway and the indexer call it when they run with SESSION_EMBEDDING_ALLOW_INSECURE_BASE_URLS=${server.origin}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
