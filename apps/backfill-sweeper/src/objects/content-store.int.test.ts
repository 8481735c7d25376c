import { deriveKey, KEY_PURPOSES } from '@steward/crypto';
import { eventually, startTestObjectStore, type TestObjectStore } from '@steward/testing';
import { UNINDEXED } from '../testing/use-sweeper.ts';
import { useSweeperProcesses } from '../testing/use-sweeper-processes.ts';

const sweeper = useSweeperProcesses();
let store: TestObjectStore;
beforeAll(async () => {
  store = await startTestObjectStore();
});
afterAll(() => store.stop());

const CONTENT_SECRET_KEY = deriveKey('a-secret-key-for-tests-only-0123456789', KEY_PURPOSES.sessionContent);
const start = (more: Readonly<Record<string, string>> = {}) =>
  sweeper.start({
    ...store.content,
    CONTENT_SECRET_KEY,
    SESSION_CONTENT_OBJECT_BYTES: '20000',
    SESSION_SEARCH_BACKFILL_ENABLED: 'false',
    ...more,
  });
const result = (index: number): string => `line ${index} of a long result `.repeat(2000);
const storeSessions = (count: number) =>
  sweeper.storeSessions(count, UNINDEXED, (index) => ({ toolCall: { arguments: { index }, result: result(index) } }));
const query = async (text: string, values: readonly unknown[] = []) =>
  (await sweeper.admin.pool.query(text, [...values])).rows as Record<string, unknown>[];
const countIn = async (accountId: string): Promise<{ moved: number; kept: number }> => {
  const [row] = await query(
    `select count(content_object)::int as moved, count(content)::int as kept from gateway.session_content
     where account_id = $1`,
    [accountId],
  );
  return row as { moved: number; kept: number };
};
const untilMoved = (accountId: string, bodies: number) =>
  eventually(async () => (await countIn(accountId)).moved === bodies);

describe('a sweeper with an object store (PROC-25)', () => {
  it('moves large content, indexes it from there, and removes the objects of deleted sessions', async () => {
    const accountId = await storeSessions(6);
    const moving = await start();
    await untilMoved(accountId, 6);
    const metrics = await (await fetch(`http://127.0.0.1:${moving.healthPort}/metrics`)).text();
    expect(metrics).toMatch(/^steward_content_moves_total\{outcome="moved",.*\} 6$/m);
    expect(metrics).toMatch(/^steward_content_moved_bytes_total\{.*\} \d{6}$/m);
    await moving.kill();

    await start({ SESSION_SEARCH_BACKFILL_ENABLED: 'true' });
    await sweeper.untilSwept();
    const chunks = (await query('select content from search.chunk where account_id = $1', [accountId])).map(
      ({ content }) => String(content),
    );
    for (let index = 0; index < 6; index += 1)
      expect(chunks.some((text) => text.includes(`line ${index} of a long result`))).toBe(true);

    await query(
      `with gone as (delete from gateway.runtime_session where account_id = $1 returning id)
       insert into gateway.session_deletion (account_id, runtime_session_id) select $1, id from gone`,
      [accountId],
    );
    // The entry is deleted after the objects were removed.
    await eventually(
      async () => store.listKeys().length === 0 && (await query('select from gateway.content_removal')).length === 0,
    );
  });

  it('that is killed at any moment loses nothing', async () => {
    const accountId = await storeSessions(40);
    for (const moved of [1, 9, 20]) {
      const killed = await start();
      await eventually(async () => (await countIn(accountId)).moved >= moved);
      await killed.kill();
      await sweeper.untilGone();
      const { moved: there, kept } = await countIn(accountId);
      expect(there + kept).toBe(40);
      // The claims of the killed process end after some minutes.
      await query(`update gateway.content_claim set claimed_until = now()`);
    }
    await start();
    await untilMoved(accountId, 40);
    const named = await query(
      'select content_object as key from gateway.session_content where content_object is not null',
    );
    const keys = new Set(store.listKeys());
    for (const { key } of named) expect(keys.has(`steward/${String(key)}`)).toBe(true);
  });

  it('moves nothing without a size', async () => {
    const accountId = await storeSessions(1);
    const idle = await start({ SESSION_CONTENT_OBJECT_BYTES: '0' });
    const metrics = await (await fetch(`http://127.0.0.1:${idle.healthPort}/metrics`)).text();
    expect(metrics).toMatch(/^steward_content_moves_total\{outcome="moved",.*\} 0$/m);
    expect(await countIn(accountId)).toEqual({ moved: 0, kept: 1 });
  });
});
