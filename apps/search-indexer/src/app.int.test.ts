import { askJetStream, eventually } from '@steward/testing';
import { useIndexer } from './testing/use-indexer.ts';

const SUBJECT = 'steward.search.chunk-written.v1';

const tests = useIndexer();

describe('messages about written chunks', () => {
  it('are each handled and removed once, and counted in health and metrics (PROC-7)', async () => {
    const app = await tests.startIndexer();
    for (const kind of ['tool_call', 'flow_log', 'session_summary'] as const)
      await tests.announce(tests.describeChunk({ source_kind: kind, chunk_count: 2 }));
    await tests.untilSeen([app], 3);
    await tests.untilNothingWaits();
    const health = (await (await tests.fetchFrom(app, '/api/v1/health')).json()) as { activity: object };
    expect(health.activity).toMatchObject({ sources_seen: 3, chunks_seen: 6 });
    const metrics = await (await tests.fetchFrom(app, '/metrics')).text();
    expect(metrics).toMatch(/steward_chunks_written_total\{source_kind="flow_log"[^}]*\} 2/);
  });

  it('are handled once per write, however often they are published (PROC-10)', async () => {
    const app = await tests.startIndexer();
    const message = tests.describeChunk();
    const outcomes = [await tests.announce(message), await tests.announce(message), await tests.announce(message)];
    expect(outcomes.map(({ duplicate }) => duplicate)).toEqual([false, true, true]);
    await tests.announce();
    await tests.untilSeen([app], 2);
  });

  it('can arrive in any order, even newer text before older text (PROC-10)', async () => {
    const app = await tests.startIndexer();
    const source = tests.describeChunk();
    const newer = { ...source, content_hash: 'f'.repeat(64), chunk_count: 3 };
    await tests.announce(newer);
    await tests.announce(source);
    await tests.untilSeen([app], 2);
    expect(await tests.countMessages('STEWARD_DEAD_LETTER').catch(() => 0)).toBe(0);
  });

  it('can refer to deleted rows without causing errors (PROC-10)', async () => {
    const app = await tests.startIndexer();
    const accountId = await tests.insertChunk(new Date());
    await tests.admin().pool.query('delete from search.chunk where account_id = $1', [accountId]);
    await tests.announce(tests.describeChunk({ account_id: accountId }));
    await tests.untilSeen([app], 1);
    await tests.untilNothingWaits();
  });

  it('can be lost without any loss of content: it can be found without them (PROC-10, CORP-1)', async () => {
    const accountId = await tests.insertChunk(new Date());
    const app = await tests.startIndexer();
    const { rows } = await tests
      .admin()
      .pool.query(`select 1 from search.chunk where account_id = $1 and tsv @@ 'words'::tsquery`, [accountId]);
    expect([rows.length, await tests.countSeen(app)]).toEqual([1, 0]);
  });

  it.each([
    ['no JSON', 'not json {'],
    ['not a message', '[]'],
    ['an unknown kind', JSON.stringify({ ...tests.describeChunk(), source_kind: 'attachment' })],
    ['more chunks than a source can have', JSON.stringify({ ...tests.describeChunk(), chunk_count: 65 })],
  ])('that are invalid (%s) become dead letters, and the next one is handled (PROC-11)', async (_what, body) => {
    const app = await tests.startIndexer();
    const before = await tests.countMessages('STEWARD_DEAD_LETTER');
    await askJetStream(tests.server().url, SUBJECT, body);
    await tests.announce();
    await tests.untilSeen([app], 1);
    await eventually(async () => (await tests.countMessages('STEWARD_DEAD_LETTER')) === before + 1);
    await tests.untilNothingWaits();
  });

  it('can contain keys that a newer version of the publisher adds', async () => {
    const app = await tests.startIndexer();
    await askJetStream(
      tests.server().url,
      SUBJECT,
      JSON.stringify({ ...tests.describeChunk(), embedding_model: 'e5' }),
    );
    await tests.untilSeen([app], 1);
  });
});

describe('workers', () => {
  it('share messages: each message is handled by one worker', async () => {
    const apps = [await tests.startIndexer(), await tests.startIndexer()];
    await Promise.all(Array.from({ length: 60 }, () => tests.announce()));
    await tests.untilSeen(apps, 60);
    await tests.untilNothingWaits();
  });

  it('that no longer run leave waiting messages to the next worker', async () => {
    const first = await tests.startIndexer();
    await tests.announce();
    await tests.untilSeen([first], 1);
    await tests.stop(first);
    // The broker may process an acknowledgment after its connection has ended.
    await tests.untilNothingWaits();
    for (let index = 0; index < 5; index += 1) await tests.announce();
    expect(await tests.countMessages('STEWARD_SEARCH')).toBe(5);
    const second = await tests.startIndexer();
    await tests.untilSeen([second], 5);
    await tests.untilNothingWaits();
  });

  it('that are stopped finish the messages they have begun to handle: no message is handled twice (PROC-8)', async () => {
    const first = await tests.startIndexer();
    for (let index = 0; index < 40; index += 1) await tests.announce();
    const seen = await tests.countSeen(first);
    expect(seen).toBeLessThanOrEqual(40);
    await tests.stop(first);
    // This count is an upper limit, because the broker may still be processing the last acknowledgments of the first
    // process.
    const rest = await tests.countMessages('STEWARD_SEARCH');
    const second = await tests.startIndexer();
    await tests.untilNothingWaits();
    expect(await tests.countSeen(second)).toBeLessThanOrEqual(rest);
  });

  it('continue after the broker is killed and started again (PROC-9)', async () => {
    const app = await tests.startIndexer();
    await tests.server().kill();
    await eventually(
      async () =>
        ((await (await tests.fetchFrom(app, '/api/v1/health')).json()) as { status: string }).status === 'degraded',
    );
    expect((await tests.fetchFrom(app, '/readyz')).status).toBe(200);
    await tests.server().restart();
    // The message is the same each time, because a publication that seems to have failed may have succeeded.
    const message = tests.describeChunk();
    await eventually(async () => (await tests.announce(message)).kind === 'published');
    await tests.untilSeen([app], 1);
  });
});
