import { randomUUID } from 'node:crypto';
import { createSecretBox, KEY_PURPOSES } from '@steward/crypto';
import { APP_ROLES, type Database } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { createMetrics, loadSettings } from '@steward/process';
import { contentBucketSettings, createContentObjects, moveContent, openContentBucket } from '@steward/sessions';
import { eventually, releaseAfterAll, startTestObjectStore, type TestObjectStore } from '@steward/testing';
import { SECRET_KEY, startTestGateway, type TestAccount, type TestGateway } from '../../../testing/start-gateway.ts';

const PATH = '/api/v1/runtime-sessions';
const LONG = 'a long answer '.repeat(3000);

describe('a gateway with an object store for content (PROC-25)', () => {
  const release = releaseAfterAll();
  let store: TestObjectStore;
  let gateway: TestGateway;
  let account: TestAccount;
  let sweeper: Database;

  beforeAll(async () => {
    store = await startTestObjectStore();
    release(() => store.stop());
    gateway = await startTestGateway({ ...store.content, HEALTH_PORT: '0' });
    release(() => gateway.close());
    account = await gateway.registerAccount();
    sweeper = connectTestDatabase(gateway.database.urlForRole(APP_ROLES.backfillSweeper), { poolSize: 2 });
    release(() => sweeper.close());
  });

  const call = (method: string, path: string, body?: unknown) =>
    gateway.call(method, `${PATH}${path}`, { token: account.accessToken, ...(body === undefined ? {} : { body }) });
  const download = (id: string) =>
    fetch(`${gateway.url}${PATH}/${id}/export`, { headers: { authorization: `Bearer ${account.accessToken}` } });

  /** Moves what is large, as a sweeper does some minutes later. */
  async function move(): Promise<void> {
    const bucket = openContentBucket(loadSettings(contentBucketSettings, store.content))!;
    const box = createSecretBox([SECRET_KEY], KEY_PURPOSES.sessionContent);
    const objects = createContentObjects({
      ...{ bucket, box, logger: { warn: () => undefined }, metrics: createMetrics('test') },
    });
    const moved: string[] = [];
    await moveContent(
      { db: sweeper.db, objects },
      {
        largerThan: 16_384,
        minAgeSeconds: -60,
        signal: new AbortController().signal,
        onOutcome: ({ kind }) => void moved.push(kind),
      },
    );
    expect(new Set(moved)).toEqual(new Set(['moved']));
  }

  async function storeSession(): Promise<string> {
    const opened = await call('POST', '', { session_source_type: 'ci', session_source_id: randomUUID() });
    const { id } = opened.body as { id: string };
    await call('POST', `/${id}/tool-calls`, { tool_name: 'sh', arguments: { command: 'ls' }, result: LONG });
    await call('POST', `/${id}/transcript`, { messages: [{ role: 'user', content: 'short' }] });
    await call('POST', `/${id}/interactions`, {
      model_alias: 'fast',
      provider_name: 'acme',
      request: { messages: [LONG] },
      response: { text: LONG },
    });
    expect((await call('POST', `/${id}/end`, {})).status).toBe(200);
    return id;
  }

  it('serves timelines and exports of moved content unchanged', async () => {
    const id = await storeSession();
    const before = [await call('GET', `/${id}/timeline`), await (await download(id)).text()] as const;
    await move();
    const { rows } = await sweeper.pool.query(
      'select from gateway.session_content where runtime_session_id = $1 and content_object is not null',
      [id],
    );
    expect(rows).toHaveLength(2);
    expect((await call('GET', `/${id}/timeline`)).body).toEqual(before[0].body);
    expect(await (await download(id)).text()).toBe(before[1]);
    const metrics = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
    expect(metrics).toMatch(/^steward_content_objects_opened_total\{outcome="opened",service="api-gateway"\} [1-9]/m);
    expect(metrics).toMatch(/^steward_content_objects_opened_total\{outcome="damaged",service="api-gateway"\} 0$/m);
  });

  it('states for each item that the store does not respond, and refuses an export, until it does again (SESS-39)', async () => {
    const id = await storeSession();
    await move();
    store.setDown(true);
    try {
      const { status, body } = await call('GET', `/${id}/timeline`);
      const items = (body as { items: readonly Record<string, unknown>[] }).items;
      expect([status, items.map(({ kind, content_error: error }) => [kind, error])]).toEqual([
        200,
        [
          ['tool_call', 'unavailable'],
          ['transcript_message', null],
          ['gateway_interaction', 'unavailable'],
        ],
      ]);
      expect(items.map(({ content, content_captured: isCaptured }) => [content, isCaptured])).toEqual([
        [null, true],
        ['short', true],
        [null, true],
      ]);
      const refused = await download(id);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
      expect(((await refused.json()) as { detail: { code: string } }).detail.code).toBe('unavailable');
    } finally {
      store.setDown(false);
    }
    await eventually(async () => {
      const { body } = await call('GET', `/${id}/timeline`);
      return (body as { items: readonly { content_error: string | null }[] }).items.every(
        ({ content_error: error }) => error === null,
      );
    });
    expect((await (await download(id)).text()).trim().split('\n').at(-1)).toBe('{"record":"end","items":3}');
  });

  it('exports sessions without moved content while the store does not respond', async () => {
    const opened = await call('POST', '', { session_source_type: 'ci', session_source_id: randomUUID() });
    const { id } = opened.body as { id: string };
    await call('POST', `/${id}/tool-calls`, { tool_name: 'sh', arguments: {}, result: LONG });
    store.setDown(true);
    try {
      expect((await download(id)).status).toBe(200);
    } finally {
      store.setDown(false);
    }
  });
});
