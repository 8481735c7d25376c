import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { readAgentSessions } from '../../bench/relevance/read-agent-sessions.ts';
import { DEFAULT_PORT, MODEL } from '../../embedding-server/model.ts';
import { startEmbeddingServer } from '../../embedding-server/start-embedding-server.ts';
import { startEncoder } from '../../embedding-server/start-encoder.ts';
import type { Api } from './api.ts';
import type { Steps } from './steps.ts';

/**
 * Queries, and the sessions that they should find although these contain none of the queries' words: see
 * tools/bench/relevance.
 */
const MEANINGS = [
  { query: 'staff member quits, revoke permissions', about: 's075' },
  { query: 'stolen notebook computer', about: 's077' },
  { query: 'refrigerator too hot', about: 's163' },
] as const;
/** Ids of imported sessions, some of which match none of the queries. */
const IMPORTED = ['s004', 's031', 's052', 's053', 's075', 's077', 's110', 's123', 's157', 's163'];
const BASE_URL = `http://127.0.0.1:${DEFAULT_PORT}/v1`;
const POLL_MS = 1000;
const TIMEOUT_MS = 15 * 60_000;

/** Imports some sessions, embeds the account's corpus on this machine, and searches it by meaning. */
export async function demonstrateMeaning(api: Api, { run, expect }: Pick<Steps, 'run' | 'expect'>): Promise<void> {
  const sessionOf = await run(`import ${IMPORTED.length} short sessions`, () => importSessions(api));
  const server = await run('start an embedding server, or find it running', findEmbeddingServer);
  try {
    await run('switch embedding on', async () => {
      const saved = await api.call('PUT', '/api/v1/runtime-sessions/settings/embedding', {
        body: { enabled: true, scope: 'full', model_identifier: MODEL, base_url: BASE_URL },
      });
      expect(saved.status === 200, `status 200, not ${saved.status}: ${JSON.stringify(saved.body)}`);
    });
    await run('wait until everything is embedded', () => waitUntilEmbedded(api));
    for (const { query, about } of MEANINGS) {
      await run(`find by meaning sessions that no keyword finds: ${query}`, async () => {
        const words = await api.call('POST', '/api/v1/runtime-sessions/search', { body: { query } });
        expect(Number(words.body.total) === 0, `no session by words, not ${String(words.body.total)}`);
        const found = await api.call('POST', '/api/v1/runtime-sessions/search', { body: { query, mode: 'semantic' } });
        const [first] = (found.body.results ?? []) as { runtime_session_id: string }[];
        expect(found.body.effective_mode === 'semantic', `by meaning: ${JSON.stringify(found.body.degraded)}`);
        expect(first?.runtime_session_id === sessionOf.get(about), 'the session on this topic is first');
      });
    }
  } finally {
    await server?.close();
  }
}

/** Imports the sessions; returns the session of each document. */
async function importSessions(api: Api): Promise<ReadonlyMap<string, string>> {
  const sessionOf = new Map<string, string>();
  for (const { id, parts } of readAgentSessions().documents.filter((document) => IMPORTED.includes(document.id))) {
    const opened = await api.call('POST', '/api/v1/runtime-sessions', {
      body: {
        session_source_type: 'demo',
        session_source_id: `demo-${id}-${randomBytes(4).toString('hex')}`,
        runtime_principal_type: 'agent',
        runtime_principal_id: 'helper',
      },
    });
    const sessionId = String(opened.body.id);
    const messages = parts.map(({ role, text }, place) => ({
      external_id: `${id}-${place}`,
      role: role ?? 'assistant',
      content: text,
      occurred_at: new Date().toISOString(),
    }));
    const stored = await api.call('POST', `/api/v1/runtime-sessions/${sessionId}/transcript`, { body: { messages } });
    if (stored.status !== 201) throw new Error(`a transcript was refused: ${JSON.stringify(stored.body)}`);
    sessionOf.set(id, sessionId);
  }
  return sessionOf;
}

/** Starts an embedding server; returns undefined if one is already running. */
async function findEmbeddingServer(): Promise<{ close(): Promise<void> } | undefined> {
  const running = await fetch(`${BASE_URL}/models`).catch(() => undefined);
  if (running?.ok === true) return undefined;
  return startEmbeddingServer({ encoder: await startEncoder(availableParallelism()), port: DEFAULT_PORT });
}

interface EmbeddingState {
  readonly degraded_reason: string | null;
  readonly corpus: { readonly eligible: number; readonly embedded: number; readonly pending: number };
}

/**
 * Waits until the corpus is embedded.
 * @throws Error if embedding stops or takes too long
 */
async function waitUntilEmbedded(api: Api): Promise<void> {
  const giveUpAt = Date.now() + TIMEOUT_MS;
  let shown = -1;
  while (Date.now() < giveUpAt) {
    const { body } = await api.call('GET', '/api/v1/runtime-sessions/settings/embedding');
    const { corpus, degraded_reason: reason } = body as unknown as EmbeddingState;
    // On a busy machine a call may time out, but it is retried.
    if (reason !== null && reason !== 'semantic_provider_error') throw new Error(`embedding stopped: ${reason}`);
    const percent = Math.floor((100 * corpus.embedded) / Math.max(1, corpus.eligible) / 20) * 20;
    if (percent > shown) console.log(`                ${corpus.embedded} of ${corpus.eligible} chunks embedded`);
    shown = Math.max(shown, percent);
    if (corpus.pending === 0) return;
    await delay(POLL_MS);
  }
  throw new Error(`not embedded within ${TIMEOUT_MS / 60_000} minutes`);
}
