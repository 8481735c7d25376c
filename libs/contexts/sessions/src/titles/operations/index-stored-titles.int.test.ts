import { listRuntimeSessions } from '../../sessions/operations/read-runtime-sessions.ts';
import { updateRuntimeSession } from '../../sessions/operations/update-runtime-session.ts';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { useSessions } from '../../testing/use-sessions.ts';
import { findUnindexedTitles, indexStoredTitles } from './index-stored-titles.ts';

const QUIET = { ...WRITE_OPTIONS, indexEnabled: false };

const sessions = useSessions();

describe('titles stored while indexing was off (CORP-23)', () => {
  type Key = Awaited<ReturnType<typeof sessions.openSession>>;
  const give = (key: Key, title: string, options = QUIET) =>
    sessions.run((trx, hints) => updateRuntimeSession(trx, hints, { ...key, title, now: new Date() }, options));
  const find = async ({ accountId }: Key) =>
    findUnindexedTitles(sessions.db(), accountId, await listRuntimeSessions(sessions.db(), { accountId, limit: 50 }));
  const readTexts = (key: Key) =>
    sessions
      .query<{
        content: string;
      }>('select content from search.chunk where runtime_session_id = $1', [key.sessionId])
      .then((rows) => rows.map(({ content }) => content));

  it('are indexed once', async () => {
    const key = await sessions.openSession();
    await give(key, 'Repair the login page');
    expect(await readTexts(key)).toEqual([]);
    const unindexed = await find(key);
    expect(unindexed).toMatchObject([{ id: key.sessionId }]);
    await sessions.run((trx, hints) => indexStoredTitles(trx, hints, unindexed));
    expect(await readTexts(key)).toEqual(['Repair the login page']);
    expect(await find(key)).toEqual([]);
  });

  it('do not exist for a fully indexed account, or for sessions without a title', async () => {
    const key = await sessions.openSession();
    await give(key, 'Indexed', WRITE_OPTIONS);
    expect(await find(key)).toEqual([]);
    const other = await sessions.openSession();
    expect(await find(other)).toEqual([]);
  });

  it('do not replace one that was set meanwhile', async () => {
    const key = await sessions.openSession();
    await give(key, 'former');
    const unindexed = await find(key);
    await give(key, 'later', WRITE_OPTIONS);
    await sessions.run((trx, hints) => indexStoredTitles(trx, hints, unindexed));
    expect(await readTexts(key)).toEqual(['later']);
  });
});
