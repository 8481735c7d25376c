import { monitorEventLoopDelay } from 'node:perf_hooks';
import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { interaction, logLine, message, useSessions } from '../../testing/use-sessions.ts';
import type { NewSessionContent } from '../../schema.ts';
import {
  findContentByExternalId,
  insertContent,
  listContent,
  listContentPlaces,
  type ContentPlace,
} from './session-content.store.ts';

const sessions = useSessions();
/**
 * Maximum time in milliseconds for which the thread may be blocked. Measured: 90; with escaping character by character,
 * 700.
 */
const MAX_BLOCKED_MS = 350;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

describe('content with an id from the client (SESS-12)', () => {
  it('is the entry of the session with that id, and not of other sessions', async () => {
    const key = await sessions.openSession();
    const other = await sessions.openSession({ accountId: key.accountId });
    await sessions.append(key, [message('one', 'm-1'), message('two', 'm-2'), message('none')]);
    const find = (more: object, externalId = 'm-1') =>
      findContentByExternalId(sessions.db(), { ...key, externalId, ...more });
    expect(await find({})).toMatchObject({ externalId: 'm-1', content: 'one', runtimeSessionId: key.sessionId });
    expect(await find({}, 'M-1')).toBeUndefined();
    expect(await find({}, 'm')).toBeUndefined();
    expect([await find(other), await find({ accountId: newId() })]).toEqual([undefined, undefined]);
  });
});

describe('content by ids', () => {
  it('is limited to the account, ordered by time, and contains each item once', async () => {
    const key = await sessions.openSession();
    const foreign = await sessions.openSession();
    await sessions.append(key, [logLine('late', at(9)), logLine('early', at(1))]);
    await sessions.append(foreign, [logLine('foreign', at(5))]);
    const own = await sessions.readTimeline(key);
    const ids = [...own, ...own, ...(await sessions.readTimeline(foreign))].map(({ id }) => id);
    const rows = await listContent(sessions.db(), key.accountId, [newId(), ...ids.toReversed()]);
    expect(rows.map(({ content }) => content)).toEqual(['early', 'late']);
    expect(await listContent(sessions.db(), key.accountId, [])).toEqual([]);
  });

  it('reports the size of its body as the length of the JSON in UTF-8, and no size if no body is stored', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message('äß')]);
    await sessions.append(key, [interaction('p', 'r')], { ...WRITE_OPTIONS, captureContent: false });
    const ids = (await sessions.readTimeline(key)).map(({ id }) => id);
    const rows = await listContent(sessions.db(), key.accountId, ids);
    expect(rows.map((row) => row.content_size_bytes)).toEqual([Buffer.byteLength('"äß"'), 0]);
  });
});

describe('content with many characters that are escaped in a list of strings', () => {
  it('is read without blocking: two million quotation marks delay no other request', async () => {
    const key = await sessions.openSession();
    const content = { request: { cut: true, text: '\\"'.repeat(1_000_000) }, other: 'ä "\\" {},\u2028' };
    const row: NewSessionContent = {
      account_id: key.accountId,
      id: newId(),
      runtime_session_id: key.sessionId,
      kind: 'gateway_interaction',
      occurred_at: at(1),
      role: null,
      external_id: null,
      api_key_id: null,
      model_alias: 'm',
      provider_name: 'p',
      tool_name: null,
      status: 'ok',
      input_tokens: null,
      output_tokens: null,
      cost_usd: null,
      cache_read_tokens: null,
      cache_write_tokens: null,
      reasoning_tokens: null,
      revision: 0,
      origin: null,
      copy_of: null,
      copy_of_session_id: null,
      contentJson: JSON.stringify(content),
      created_at: at(1),
    };
    const none = { ...row, id: newId(), occurred_at: at(2), contentJson: null };
    const insert = async (rows: readonly NewSessionContent[]): Promise<number> => {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      await sessions
        .db()
        .transaction()
        .execute((trx) => insertContent(trx, rows));
      delay.disable();
      return delay.max / 1e6;
    };
    const blockedMs = [
      await insert([row, none]),
      await insert([{ ...row, id: newId() }]),
      await insert([{ ...row, id: newId() }]),
    ];
    // The best of three attempts, because the machine may be busy.
    expect(Math.min(...blockedMs)).toBeLessThan(MAX_BLOCKED_MS);
    const stored = await listContent(sessions.db(), key.accountId, [row.id, none.id]);
    expect(stored.map((piece) => [piece.content, piece.content_captured])).toEqual([
      [content, true],
      [null, false],
    ]);
  });
});

describe('the enumeration of session content (CORP-8)', () => {
  it('returns each item once, session by session in the given order, oldest first, for every page size', async () => {
    const accountId = newId();
    const keys = [await sessions.openSession({ accountId }), await sessions.openSession({ accountId })];
    const empty = await sessions.openSession({ accountId });
    const unasked = await sessions.openSession({ accountId });
    // The later session has older content, since results are ordered by session.
    await sessions.append(
      keys[0]!,
      [5, 3, 3, 4].map((minute) => logLine(`a${minute}`, at(minute))),
    );
    await sessions.append(
      keys[1]!,
      [1, 2].map((minute) => logLine(`b${minute}`, at(minute))),
    );
    await sessions.append(unasked, [logLine('unasked', at(1))]);
    const whole = [...(await sessions.readTimeline(keys[0]!)), ...(await sessions.readTimeline(keys[1]!))];
    const ordered = [keys[0]!.sessionId, empty.sessionId, keys[1]!.sessionId];
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), async (limit) => {
        const seen: ContentPlace[] = [];
        for (;;) {
          const last = seen.at(-1);
          // The next page begins with the current session, as in a walk over history.
          const sessionIds = last === undefined ? ordered : ordered.slice(ordered.indexOf(last.sessionId));
          const page = await listContentPlaces(sessions.db(), { accountId, sessionIds, after: last, limit });
          expect(page.length).toBeLessThanOrEqual(limit);
          if (page.length === 0) break;
          seen.push(...page);
        }
        expect(seen.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
        expect(seen[0]).toMatchObject({ kind: 'flow_log', occurredAt: at(3), sizeBytes: Buffer.byteLength('"a3"') });
      }),
      { numRuns: 8 },
    );
  });

  it('returns nothing of another account, or without sessions (API-10)', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [logLine('x')]);
    const walk = (accountId: string, sessionIds: string[]) =>
      listContentPlaces(sessions.db(), { accountId, sessionIds, after: undefined, limit: 10 });
    expect(await walk(key.accountId, [key.sessionId])).toHaveLength(1);
    expect(await walk(newId(), [key.sessionId])).toEqual([]);
    expect(await walk(key.accountId, [])).toEqual([]);
  });
});
