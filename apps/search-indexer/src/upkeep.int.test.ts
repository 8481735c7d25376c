import { APP_ROLES } from '@steward/database';
import { eventually } from '@steward/testing';
import { useIndexer } from './testing/use-indexer.ts';

const HOUR_MS = 3_600_000;

const tests = useIndexer();
const { startIndexer, stop, fetchFrom, untilSeen, announce, insertChunk, countChunks } = tests;

describe('maintenance of the corpus', () => {
  it('moves new chunks into the indexes, even after its connections failed (PROC-9)', async () => {
    const app = await startIndexer();
    const readPages = async () =>
      Number(
        /steward_search_pending_pages_flushed_total(?:\{[^}]*\})? (\d+)/.exec(
          await (await fetchFrom(app, '/metrics')).text(),
        )?.[1] ?? 0,
      );
    const untilFlushed = async () => {
      const before = await readPages();
      await insertChunk(new Date());
      await eventually(async () => (await readPages()) > before);
    };
    await untilFlushed();
    await tests.admin().pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and usename = $1`,
      [APP_ROLES.searchIndexer],
    );
    await untilFlushed();
    expect((await fetchFrom(app, '/readyz')).status).toBe(200);
  });

  it('removes content older than the configured age from the corpus, or nothing if no age is configured (CORP-9)', async () => {
    const day = 24 * HOUR_MS;
    const [old, young] = [
      await insertChunk(new Date(Date.now() - 3 * day)),
      await insertChunk(new Date(Date.now() - day)),
    ];
    const keeps = await startIndexer();
    await announce();
    await untilSeen([keeps], 1);
    expect(await countChunks(old)).toBe(1);
    await stop(keeps);
    await startIndexer({ SESSION_SEARCH_RETENTION_DAYS: '2' });
    await eventually(async () => (await countChunks(old)) === 0);
    expect(await countChunks(young)).toBe(1);
  });
});

describe('the start of the indexer', () => {
  it.each([
    ['SESSION_SEARCH_FLUSH_SECONDS', '0'],
    ['SESSION_SEARCH_RETENTION_DAYS', '-1'],
    ['SESSION_SEARCH_RETENTION_DAYS', 'soon'],
  ])('fails for %s=%s, and the error names the setting (PROC-3)', async (name, value) => {
    await expect(startIndexer({ [name]: value })).rejects.toThrow(name);
  });

  it('requires only a role that can read the texts to embed, but not sessions or people (PROC-12)', async () => {
    const own = tests.database().connectAs(APP_ROLES.searchIndexer);
    for (const table of ['search.chunk', 'search.credential_key', 'gateway.session_content', 'gateway.user_account'])
      await expect(own.pool.query(`select * from ${table}`)).rejects.toMatchObject({ code: '42501' });
    for (const change of [`content = ''`, `redaction_state = 'clear'`])
      await expect(own.pool.query(`update search.chunk set ${change}`)).rejects.toMatchObject({ code: '42501' });
    for (const change of ['is_enabled = true', `base_url = 'https://elsewhere'`, 'daily_cap_usd = 9'])
      await expect(own.pool.query(`update search.embedding_setting set ${change}`)).rejects.toMatchObject({
        code: '42501',
      });
  });
});
