import { createEmbeddingClient, type EmbeddingClient } from '@steward/embedding-client';
import type { Fault } from './faults.ts';
import { MODEL } from './model.ts';
import { startEmbeddingServer, type EmbeddingServer } from './start-embedding-server.ts';
import { startEncoder } from './start-encoder.ts';

const KEY = 'sk-0123456789';
let server: EmbeddingServer;
let client: EmbeddingClient;
beforeAll(async () => {
  server = await startEmbeddingServer({ encoder: await startEncoder(1), port: 0, apiKey: KEY });
  client = createEmbeddingClient({ insecureOrigins: [server.origin], allowedPrivateCidrs: [] });
});
afterAll(async () => {
  await client.close();
  await server.close();
});
afterEach(() => server.setFault(undefined));

const embed = (call: { inputs?: readonly string[]; model?: string; timeoutMs?: number } = {}) =>
  client.embed({
    baseUrl: server.baseUrl,
    apiKey: KEY,
    model: MODEL,
    inputs: ['a', 'b'],
    timeoutMs: 30_000,
    ...call,
  });

describe('the provider client with a real model', () => {
  it('returns vectors in the order of the texts, and the number of tokens (EMB-30, EMB-34)', async () => {
    const outcome = await embed();
    expect(outcome).toMatchObject({ kind: 'embedded', promptTokens: expect.any(Number) as number });
    server.setFault('wrong_order');
    expect(await embed()).toEqual(outcome);
  });

  it.each<[Fault, object]>([
    ['unauthorized', { kind: 'misconfigured', detail: 'HTTP 401 (invalid_api_key)' }],
    ['rate_limited', { kind: 'rate_limited', retryAfterMs: 1000 }],
    ['failing', { kind: 'unavailable', detail: 'HTTP 500 (server_error)' }],
    ['slow', { kind: 'unavailable', detail: 'no response within 0.3 s' }],
    ['redirecting', { kind: 'misconfigured', status: 307 }],
    ['wrong_width', { kind: 'misconfigured', detail: 'embeddings have 512 and 2 dimensions' }],
    ['not_a_number', { kind: 'misconfigured' }],
    ['no_base64', { kind: 'embedded' }],
  ])('%s ends as %j (EMB-35)', async (fault, outcome) => {
    server.setFault(fault);
    expect(await embed({ timeoutMs: fault === 'slow' ? 300 : 30_000 })).toMatchObject(outcome);
  });

  it('returns errors for an unknown model and for refused texts (EMB-35)', async () => {
    expect(await embed({ model: 'other' })).toMatchObject({
      kind: 'misconfigured',
      detail: 'HTTP 404 (model_not_found)',
    });
    expect(await embed({ inputs: [''] })).toMatchObject({ kind: 'refused', status: 400 });
  });
});
