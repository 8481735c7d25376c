import { newId } from '@steward/crypto';
import { appendSessionContent } from '../../content/operations/append-session-content.ts';
import { listRuntimeSessions } from '../../sessions/operations/read-runtime-sessions.ts';
import { updateRuntimeSession } from '../../sessions/operations/update-runtime-session.ts';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { message, useSessions } from '../../testing/use-sessions.ts';
import { builtInTitleGenerator } from '../rules/session-title.ts';
import { generateTitles, MAX_TITLES_PER_LIST, needsTitle, storeSessionTitles } from './title-sessions.ts';

const sessions = useSessions();

describe('generated titles (SESS-8)', () => {
  const titleAll = async (accountId: string, indexEnabled = true) => {
    const listed = await listRuntimeSessions(sessions.db(), { accountId, limit: 50 });
    const titles = await generateTitles(builtInTitleGenerator, listed);
    return sessions.run((trx, hints) => storeSessionTitles(trx, hints, { accountId, titles }, { indexEnabled }));
  };

  it('use the source first, then the first words of the user once there are any, and then do not change', async () => {
    const key = await sessions.openSession({ sessionSourceId: 'run-9' });
    expect(await titleAll(key.accountId)).toMatchObject([{ title: 'test run-9', titleOrigin: 'generated' }]);
    const entries = [{ kind: 'transcript_message' as const, role: 'user', content: 'Repair the login page' }];
    await sessions.run((trx, hints) =>
      appendSessionContent(trx, hints, { ...key, entries, now: new Date() }, WRITE_OPTIONS),
    );
    expect(await titleAll(key.accountId)).toMatchObject([{ title: 'Repair the login page' }]);
    expect(await titleAll(key.accountId)).toEqual([]);
    const chunks = await sessions.query<{ content: string }>(
      `select content from search.chunk where runtime_session_id = $1 and source_id = $1::text`,
      [key.sessionId],
    );
    expect(chunks.map((chunk) => chunk.content)).toEqual(['Repair the login page']);
  });

  it('never replace the title set by a client, even a very recent one', async () => {
    const key = await sessions.openSession();
    const titles = [{ sessionId: key.sessionId, title: 'made up' }];
    const input = { ...key, title: 'Chosen', now: new Date() };
    await sessions.run((trx, hints) => updateRuntimeSession(trx, hints, input, WRITE_OPTIONS));
    const changed = await sessions.run((trx, hints) =>
      storeSessionTitles(trx, hints, { accountId: key.accountId, titles }, WRITE_OPTIONS),
    );
    expect(changed).toEqual([]);
    expect(await sessions.read(key)).toMatchObject({
      title: 'Chosen',
      titleOrigin: 'client',
    });
  });

  it('are stored without a chunk while the index is off', async () => {
    const key = await sessions.openSession();
    expect(await titleAll(key.accountId, false)).toHaveLength(1);
    expect(await sessions.readChunks(key)).toEqual([]);
  });

  it('are generated again by the next list after a client cleared a title', async () => {
    const key = await sessions.openSession({ title: 'Chosen', sessionSourceId: 'run-3' });
    expect(await titleAll(key.accountId)).toEqual([]);
    const input = { ...key, title: null, now: new Date() };
    await sessions.run((trx, hints) => updateRuntimeSession(trx, hints, input, WRITE_OPTIONS));
    expect(await titleAll(key.accountId)).toMatchObject([{ title: 'test run-3', titleOrigin: 'generated' }]);
  });

  it('created while the index is off count as a change: a backfill of changed sessions finds them (CORP-8)', async () => {
    const longAgo = new Date(Date.now() - 86_400_000);
    const [quiet, indexed] = [
      await sessions.openSession({ now: longAgo }),
      await sessions.openSession({ now: longAgo }),
    ];
    const touchedSince = new Date(Date.now() - 3_600_000);
    const findTouched = ({ accountId }: typeof quiet) =>
      listRuntimeSessions(sessions.db(), { accountId, touchedSince, limit: 5 });
    await titleAll(quiet.accountId, false);
    await titleAll(indexed.accountId);
    expect((await findTouched(quiet)).map(({ id }) => id)).toEqual([quiet.sessionId]);
    expect(await findTouched(indexed)).toEqual([]);
  });

  it('are stored once if two lists create them concurrently, and neither list waits for the other', async () => {
    const key = await sessions.openSession();
    const { accountId } = key;
    const titles = [{ sessionId: key.sessionId, title: 'One' }];
    await sessions.run(async (trx, hints) => {
      expect(await storeSessionTitles(trx, hints, { accountId, titles }, WRITE_OPTIONS)).toHaveLength(1);
      const other = [{ sessionId: key.sessionId, title: 'Two' }];
      const second = await sessions.run((inner, sink) =>
        storeSessionTitles(inner, sink, { accountId, titles: other }, WRITE_OPTIONS),
      );
      expect(second).toEqual([]);
    });
    expect(await sessions.read(key)).toMatchObject({ title: 'One' });
  });

  it('are stored only in their own account, and not for missing sessions', async () => {
    const key = await sessions.openSession();
    const titles = [key.sessionId, newId()].map((sessionId) => ({ sessionId, title: 'x' }));
    const stored = await sessions.run((trx, hints) =>
      storeSessionTitles(trx, hints, { accountId: newId(), titles }, WRITE_OPTIONS),
    );
    expect(stored).toEqual([]);
    expect(await sessions.read(key)).toMatchObject({ title: null });
  });

  it('count neither as activity nor as a change that clients wait for', async () => {
    const key = await sessions.openSession({ now: new Date(Date.now() - 60_000) });
    const before = await sessions.read(key);
    await titleAll(key.accountId);
    const after = await sessions.read(key);
    expect([after?.lastActivityAt, after?.updatedAt]).toEqual([before?.lastActivityAt, before?.updatedAt]);
  });

  it('are the first words of a user even if many clients wrote the first content concurrently', async () => {
    const key = await sessions.openSession();
    await Promise.all([1, 2, 3, 4].map((index) => sessions.append(key, [message(`words ${index}`)])));
    await titleAll(key.accountId);
    const title = (await sessions.read(key))?.title;
    expect(title).toMatch(/^words [1-4]$/);
    await sessions.append(key, [message('later words')]);
    await titleAll(key.accountId);
    expect((await sessions.read(key))?.title).toBe(title);
  });

  it("consist only of a person's words at the start of the session, even if its parts arrive out of order (SESS-37)", async () => {
    const key = await sessions.openSession();
    const at = (minutes: number) => new Date(Date.UTC(2026, 7, 1, 10, minutes));
    const say = async (content: string, minutes: number, more: object = {}) => {
      const entry = { kind: 'transcript_message' as const, role: 'user', content, occurredAt: at(minutes), ...more };
      await sessions.append(key, [entry]);
      await titleAll(key.accountId);
      return (await sessions.read(key))?.title;
    };
    await sessions.query(`update gateway.runtime_session set started_at = $2 where id = $1`, [key.sessionId, at(5)]);
    expect(await say('You are an explorer.', 6, { byProgram: true })).toMatch(/^test /);
    expect(await say('<environment_context><cwd>/</cwd></environment_context>', 4)).toMatch(/^test /);
    expect(await say('Go on, please', 7)).toBe('Go on, please');
    expect(await say('Repair the login page', 3)).toBe('Repair the login page');
    expect(await say('Thanks', 8)).toBe('Repair the login page');
  });

  it("are replaced by the person's words, and not shown again, if an earlier release generated them from a reminder", async () => {
    const key = await sessions.openSession({ sessionSourceId: 'run-11' });
    const reminder = '<system-reminder> As you answer the user';
    const set = `update gateway.runtime_session set title = $2, title_hint = $2, title_origin = 'generated' where id = $1`;
    await sessions.query(set, [key.sessionId, reminder]);
    expect(await titleAll(key.accountId)).toMatchObject([{ title: 'test run-11' }]);
    await sessions.append(key, [message('Repair the login page')]);
    expect(await titleAll(key.accountId)).toMatchObject([{ title: 'Repair the login page' }]);
  });

  it('are generated again from the content when it is sent again, if an earlier release generated them', async () => {
    const key = await sessions.openSession({ sessionSourceId: 'run-12' });
    const say = (content: string) => ({ ...message(content), externalId: content });
    const file = [say('<environment_context><cwd>/</cwd></environment_context>'), say('Repair the login page')];
    await sessions.append(key, file);
    await sessions.query(`update gateway.runtime_session set title_hint = $2 where id = $1`, [
      key.sessionId,
      '<environment_context> <cwd>/',
    ]);
    expect(await titleAll(key.accountId)).toMatchObject([{ title: 'test run-12' }]);
    await sessions.append(key, file);
    expect(await titleAll(key.accountId)).toMatchObject([{ title: 'Repair the login page' }]);
  });

  it('contain no credential, complete or partial, from any source (MASK-1, MASK-5)', async () => {
    const secret = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`;
    const url = `https://ci.example.test/${'x'.repeat(30)}/${secret}`;
    const sources = [
      { sessionSourceId: secret },
      { sessionSourceId: url },
      { sessionReference: url },
      { sessionSourceType: `t/${'y'.repeat(50)}/${secret}` },
    ];
    for (const source of sources) {
      const key = await sessions.openSession(source);
      await titleAll(key.accountId);
      const title = (await sessions.read(key))?.title ?? '';
      expect(title).not.toBe('');
      expect(title).not.toContain(secret.slice(4, 12));
      for (const chunk of await sessions.readChunks(key)) expect(chunk.content).not.toContain(secret.slice(4, 12));
    }
  });
});

describe('the generation of titles', () => {
  const generator = (title: string) => ({ generateTitle: () => title });

  it('runs for sessions that need a title, for at most a hundred of one list', async () => {
    const { accountId } = await sessions.openSession({ title: 'Titled' });
    const [titled] = await listRuntimeSessions(sessions.db(), { accountId, limit: 1 });
    const bare = { ...titled!, title: null, titleOrigin: null };
    expect(await generateTitles(generator('made'), [titled!, bare])).toEqual([{ sessionId: bare.id, title: 'made' }]);
    const many = Array.from({ length: MAX_TITLES_PER_LIST + 5 }, () => bare);
    expect(await generateTitles(generator('made'), many)).toHaveLength(MAX_TITLES_PER_LIST);
  });

  it('uses the source if the generator returns nothing', async () => {
    const { accountId } = await sessions.openSession({ sessionSourceId: 'run-5' });
    const listed = await listRuntimeSessions(sessions.db(), { accountId, limit: 1 });
    for (const nothing of ['', ' \n'])
      expect(await generateTitles(generator(nothing), listed)).toMatchObject([{ title: 'test run-5' }]);
  });

  it('runs again only for a title from the source, once there are words', async () => {
    const { accountId } = await sessions.openSession({ sessionSourceId: 'run-6' });
    const [session] = await listRuntimeSessions(sessions.db(), { accountId, limit: 1 });
    const generated = { ...session!, titleOrigin: 'generated' as const };
    expect(needsTitle({ ...generated, title: 'test run-6' })).toBe(false);
    expect(needsTitle({ ...generated, title: 'test run-6', titleHint: 'words' })).toBe(true);
    expect(needsTitle({ ...generated, title: 'words', titleHint: 'words' })).toBe(false);
    expect(needsTitle({ ...session!, title: 'test run-6', titleOrigin: 'client', titleHint: 'words' })).toBe(false);
  });
});
