import { openSession, say, search } from '../../../testing/search-calls.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../../../testing/start-gateway.ts';

describe('the explanation of an empty result', () => {
  /** Runs `work` with a session of a new account, on a separate gateway. */
  async function withSession(
    settings: Readonly<Record<string, string>>,
    work: (gateway: TestGateway, account: TestAccount, sessionId: string) => Promise<void>,
  ): Promise<void> {
    const gateway = await startTestGateway(settings);
    try {
      const account = await gateway.registerAccount();
      await work(gateway, account, await openSession(gateway, account));
    } finally {
      await gateway.close();
    }
  }

  it('reports a gap if content was stored while indexing was off (CORP-8, CORP-11, SRCH-19)', async () => {
    await withSession({ SESSION_SEARCH_INDEX_ENABLED: 'false' }, async (gateway, account, sessionId) => {
      await say(gateway, account, sessionId, 'wombat', '2026-10-05T00:00:00Z');
      const { body } = await search(gateway, account, { query: 'wombat' });
      expect(body).toMatchObject({
        total: 0,
        backfill_state: 'not_started',
        backfill_complete: false,
        indexed_from: null,
      });
    });
  });

  it('reports that only metadata exists if content was not captured in the searched range', async () => {
    await withSession({ MODEL_GATEWAY_CAPTURE_CONTENT: 'false' }, async (gateway, account, sessionId) => {
      await gateway.call('POST', `/api/v1/runtime-sessions/${sessionId}/interactions`, {
        token: account.accessToken,
        body: {
          model_alias: 'm1',
          provider_name: 'p1',
          request: { messages: [{ role: 'user', content: 'wombat' }] },
          response: {},
          occurred_at: '2026-10-05T00:00:00Z',
        },
      });
      const { body } = await search(gateway, account, { query: 'wombat' });
      expect(body).toMatchObject({
        total: 0,
        metadata_only_from: '2026-10-05T00:00:00.000Z',
        metadata_only_through: '2026-10-05T00:00:00.000Z',
      });
      const later = await search(gateway, account, {
        query: 'wombat',
        filters: { start_date: '2026-10-06T00:00:00Z' },
      });
      expect(later.body.metadata_only_from).toBeNull();
    });
  });

  it('reports that the middle of a long text is not indexed; its beginning and end are (CORP-3, CORP-12)', async () => {
    await withSession({}, async (gateway, account, sessionId) => {
      const log = `first line\n${'went well so far\n'.repeat(6000)}undefined reference to crc32_z`;
      await say(gateway, account, sessionId, log, '2026-10-05T00:00:00Z');
      const { body } = await search(gateway, account, { query: 'crc32_z' });
      expect(body).toMatchObject({
        total: 1,
        truncated_sources: 1,
        results: [{ snippets: [{ chunk_index: 63, gap_after_chunk: 31 }] }],
      });
    });
  });

  it('contains a link to a found session only if PUBLIC_URL is set (SRCH-80)', async () => {
    const url = async (settings: Record<string, string>) => {
      let found: unknown;
      await withSession(settings, async (gateway, account, sessionId) => {
        await say(gateway, account, sessionId, 'wombat', '2026-10-05T00:00:00Z');
        const { body } = await search(gateway, account, { query: 'wombat' });
        found = JSON.stringify((body.results as { url: string }[])[0]?.url).replace(sessionId, 'ID');
      });
      return found;
    };
    expect(await url({ PUBLIC_URL: 'https://steward.example.test/' })).toBe(
      '"https://steward.example.test/runtime-sessions/ID"',
    );
    expect(await url({})).toBe('null');
  });

  it('reports that nothing matches if the range is fully indexed (SRCH-19, SRCH-25)', async () => {
    await withSession({}, async (gateway, account, sessionId) => {
      await say(gateway, account, sessionId, 'wombats', '2026-10-05T00:00:00Z');
      const { body } = await search(gateway, account, { query: 'wombat' });
      expect(body).toMatchObject({
        total: 0,
        backfill_complete: true,
        indexed_from: '2026-10-05T00:00:00.000Z',
        metadata_only_from: null,
        truncated_sources: 0,
        embedded_through: null,
        hint: 'No session matches; a search for "wombats" finds some.',
        degraded: { reasons: [] },
      });
    });
  });
});
