import { setTimeout as delay } from 'node:timers/promises';
import type { FakeProvider } from '@steward/fake-provider';
import type { HttpReceiver } from '@steward/testing';
import { requireStatus, type Api } from '../demo/api.ts';
import { createHook, type Hook } from './create-hook.ts';
import { registerOwner } from './register-owner.ts';
import type { Suite } from './start-suite.ts';

export interface Load {
  stop(): Promise<void>;
}

interface Outside {
  readonly provider: FakeProvider;
  /** Receiver of webhooks that responds with 500 at `/bad`. */
  readonly receiver: HttpReceiver;
}

const PAUSE_MS = 500;

/** Generates work for every app until it is stopped: sessions, searches, events, model calls, embedding, flows. */
export async function loadSuite(suite: Suite, { provider, receiver }: Outside): Promise<Load> {
  const { api, accessToken } = await registerOwner(suite.api, 'loader');
  for (const path of ['good', 'bad'])
    await requireStatus(
      201,
      api.call('POST', '/api/v1/event-webhooks/endpoints', {
        body: { url: `${receiver.url}/${path}`, event_types: [] },
      }),
    );
  const prices = { input_per_mtok_usd: 3, output_per_mtok_usd: 15 };
  const model = {
    alias: 'large',
    provider: 'openai',
    base_url: provider.origin,
    model_identifier: 'fake-large',
    prices,
  };
  await requireStatus(201, api.call('POST', '/api/v1/ai-models', { body: model }));
  const embedding = { enabled: true, scope: 'full', model_identifier: 'text-embedding-3-small', api_key: 'sk-test' };
  await requireStatus(
    200,
    api.call('PUT', '/api/v1/runtime-sessions/settings/embedding', {
      body: { ...embedding, base_url: `${provider.origin}/v1` },
    }),
  );
  const hooks = await Promise.all(
    ['true', 'exit 3'].map((command) => createHook(api, { name: command, prompt: 'x', command })),
  );
  const ending = new AbortController();
  const running = repeat(ending.signal, (turn) => oneTurn({ suite, api, accessToken, hooks, provider }, turn));
  return {
    async stop() {
      ending.abort();
      await running;
    },
  };
}

async function repeat(signal: AbortSignal, run: (turn: number) => Promise<void>): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    await run(turn);
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

interface Loaded {
  readonly suite: Suite;
  readonly api: Api;
  readonly accessToken: string;
  readonly hooks: readonly Hook[];
  readonly provider: FakeProvider;
}

async function oneTurn({ suite, api, accessToken, hooks, provider }: Loaded, turn: number): Promise<void> {
  const opened = await api.call('POST', '/api/v1/runtime-sessions', {
    body: {
      session_source_type: 'load',
      session_source_id: `load-${turn}`,
      runtime_principal_type: 'agent',
      runtime_principal_id: 'loader',
    },
  });
  const path = `/api/v1/runtime-sessions/${String(opened.body.id)}`;
  const messages = [{ external_id: 'm', role: 'user', content: `turn ${turn} of the load`, occurred_at: new Date() }];
  await api.call('POST', `${path}/transcript`, { body: { messages } });
  await api.call('POST', `${path}/end`, { body: {} });
  await api.call('POST', '/api/v1/runtime-sessions/search', { body: { query: 'load' } });
  if (turn % 4 === 3) provider.behave({ status: 400 });
  const answer = await fetch(`${suite.url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'large', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await answer.text();
  // Each run starts a sandbox; this rate suffices for the figures, and puts little load on the machine.
  const hook = hooks[(turn / 8) % hooks.length];
  if (hook !== undefined) await suite.api.call('POST', hook.path, { body: { turn } });
}
