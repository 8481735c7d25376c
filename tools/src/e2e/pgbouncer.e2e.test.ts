import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type pg from 'pg';
import { makeScratchDirectory, readServerChoices, startPgBouncer } from '@steward/local-servers';
import {
  createTestDatabase,
  eventually,
  readTestEnvironment,
  releaseAfterAll,
  startHttpReceiver,
  type HttpReceiver,
} from '@steward/testing';
import { startFakeProvider, type FakeProvider } from '@steward/fake-provider';
import type { Api } from '../demo/api.ts';
import { connectClient } from '../servers/connect-client.ts';
import { createHook } from './create-hook.ts';
import { registerOwner } from './register-owner.ts';
import { startSuite, type Suite } from './start-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

/**
 * Size of the pool: fewer than the number of simultaneous transactions, so that server sessions are constantly passed
 * between clients.
 */
const POOL_SIZE = 2;
const MANY = 20;

describe('a suite behind PgBouncer in transaction mode (PROC-18)', () => {
  const release = releaseAfterAll();
  let suite: Suite;
  let receiver: HttpReceiver;
  let provider: FakeProvider;
  let api: Api;
  let database: pg.Client;

  beforeAll(async () => {
    const own = await createTestDatabase();
    release(() => own.drop());
    const { rolePasswords } = readTestEnvironment();
    const owner = new URL(own.url);
    const pooler = await startPgBouncer({
      directory: makeScratchDirectory('pgbouncer'),
      url: own.url,
      logins: { ...rolePasswords, [owner.username]: decodeURIComponent(owner.password) },
      poolSize: POOL_SIZE,
      ...readServerChoices(process.env),
      progress: (line) => console.log(line),
    });
    release(() => pooler.stop());
    receiver = await startHttpReceiver();
    release(() => receiver.close());
    provider = await startFakeProvider();
    release(() => provider.close());
    const given = { ...own, url: pooler.url, directUrl: own.url, rolePasswords };
    suite = await startSuite({ MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: provider.origin }, given);
    release(suite.stop);
    database = await connectClient(own.url);
    release(() => database.end());
    ({ api } = await registerOwner(suite.api, 'pooled'));
  }, START_TIMEOUT_MS);

  it('stores and finds many sessions concurrently, each by a unique word', async () => {
    const words = Array.from({ length: MANY }, () => `w${randomUUID().replaceAll('-', '')}`);
    const made = await Promise.all(
      words.map((word) =>
        api.call('POST', '/api/v1/runtime-sessions', {
          body: { session_source_type: 'pooled', session_source_id: word, title: `Deploy ${word}` },
        }),
      ),
    );
    expect(made.map(({ status }) => status)).toEqual(words.map(() => 201));
    const found = await Promise.all(
      words.map((query) => api.call('POST', '/api/v1/runtime-sessions/search', { body: { query } })),
    );
    const ids = found.map(({ body }) =>
      (body.results as unknown as { runtime_session_id: string }[]).map((one) => one.runtime_session_id),
    );
    expect(ids).toEqual(made.map(({ body }) => [body.id]));
  });

  it('runs flows and delivers their events, each once', async () => {
    await api.call('POST', '/api/v1/event-webhooks/endpoints', {
      body: { url: receiver.url, event_types: ['flow.execution.finished'] },
    });
    const hook = await createHook(api, { name: 'pooled', prompt: 'x', command: 'true' });
    const accepted = await Promise.all(
      Array.from({ length: 5 }, () => suite.api.call('POST', hook.path, { body: {} })),
    );
    const wanted = accepted.map(({ body }) => String(body.execution_id));
    const listReceived = () =>
      receiver.requests.map(
        ({ body }) => (JSON.parse(String(body)) as { data: { execution_id: string } }).data.execution_id,
      );
    await eventually(() => wanted.every((id) => listReceived().includes(id)));
    expect(listReceived().sort()).toEqual(wanted.sort());
  });

  it('records model calls within a budget', async () => {
    const prices = { input_per_mtok_usd: 3, output_per_mtok_usd: 15 };
    await api.call('POST', '/api/v1/ai-models', {
      body: { alias: 'large', provider: 'openai', base_url: provider.origin, model_identifier: 'fake-large', prices },
    });
    await api.call('POST', '/api/v1/budgets', { body: { scope: 'account', period: 'daily', limit_amount: 10 } });
    const key = String((await api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'agent' } })).body.key);
    const ask = () =>
      suite.api.withToken(key).call('POST', '/openai/v1/chat/completions', {
        body: { model: 'large', messages: [{ role: 'user', content: 'What is a ledger?' }] },
      });
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await eventually(async () => {
      const { items } = (await api.call('GET', '/api/v1/usage')).body as unknown as { items: { status: string }[] };
      return items.length === answers.length && items.every(({ status }) => status === 'ok');
    });
  });

  it('uses no more connections than the pooler allows, and no named statements', async () => {
    const { rows } = await database.query<{ name: string; count: number }>(
      `select application_name as name, count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name like 'steward-%' group by 1`,
    );
    const search = rows.filter(({ name }) => name.startsWith('steward-api-gateway-'));
    const pooled = rows.filter((row) => !search.includes(row));
    expect(pooled.length).toBeGreaterThan(0);
    expect(pooled.filter(({ count }) => count > POOL_SIZE)).toEqual([]);
    const logs = readdirSync(suite.logDirectory)
      .filter((name) => name.endsWith('.log'))
      .map((name) => readFileSync(resolve(suite.logDirectory, name), 'utf8'));
    expect(logs.join('')).not.toMatch(/prepared statement/);
  });
});
