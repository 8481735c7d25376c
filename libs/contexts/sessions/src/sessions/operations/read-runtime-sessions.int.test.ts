import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { useSessions } from '../../testing/use-sessions.ts';
import { findLatestActivityBefore, type SessionListFilter } from '../store/find-session.store.ts';
import {
  findRuntimeSessionsByIdentifier,
  listRuntimeSessions,
  readRuntimeSession,
  readSessionHeadings,
} from './read-runtime-sessions.ts';

const sessions = useSessions();

describe('finding sessions (SESS-7, SRCH-9)', () => {
  it('returns newest start first, page by page, each session once', async () => {
    const accountId = newId();
    const same = new Date('2026-05-05T05:05:05.555Z');
    for (let index = 0; index < 7; index += 1) await sessions.openSession({ accountId, startedAt: same });
    const seen: string[] = [];
    let after: { startedAt: Date; id: string } | undefined;
    for (;;) {
      const page = await listRuntimeSessions(sessions.db(), { accountId, after, limit: 3 });
      seen.push(...page.map((session) => session.id));
      const last = page.at(-1);
      if (last === undefined) break;
      after = { startedAt: last.startedAt, id: last.id };
    }
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
    expect(seen).toHaveLength(7);
  });

  it("accepts every identifier of a session, but only within the caller's account", async () => {
    const [executionId, apiKeyId] = [newId(), newId()];
    const { accountId, sessionId } = await sessions.openSession({
      sessionSourceId: 'src-1',
      sessionReference: 'REF-1',
      executionId,
      apiKeyId,
    });
    const db = sessions.db();
    for (const text of [sessionId, 'src-1', 'REF-1', executionId, apiKeyId]) {
      const found = await findRuntimeSessionsByIdentifier(db, { accountId, text, limit: 5 });
      expect(found.map((session) => session.id)).toEqual([sessionId]);
      expect(await findRuntimeSessionsByIdentifier(db, { accountId: newId(), text, limit: 5 })).toEqual([]);
    }
    const headings = await readSessionHeadings(db, { accountId, sessionIds: [sessionId, newId()] });
    expect([...headings.keys()]).toEqual([sessionId]);
    expect(await readRuntimeSession(db, { accountId, sessionId })).toMatchObject({ ...headings.get(sessionId) });
    expect(Object.keys(headings.get(sessionId) ?? {})).toHaveLength(8);
    expect((await readSessionHeadings(db, { accountId: newId(), sessionIds: [sessionId] })).size).toBe(0);
  });
});

describe('the list of sessions (SESS-7)', () => {
  const base = Date.UTC(2026, 4, 1);
  const at = (hour: number) => new Date(base + hour * 3_600_000);
  const accountId = newId();
  const flowIds = [newId(), newId()];
  const AGENTS = ['bot-1', 'bot-2', null];
  beforeAll(async () => {
    for (let index = 0; index < 36; index += 1) {
      const key = await sessions.openSession({
        accountId,
        // Some sessions have the same start time; their order is then determined by the id.
        startedAt: at((index * 5) % 12),
        runtimePrincipalId: AGENTS[index % 3],
        flowId: index % 4 === 0 ? null : flowIds[index % 2],
      });
      if (index % 5 < 2) await sessions.end(key);
    }
    await sessions.openSession({ startedAt: at(3) });
  });

  it('shows all sessions that match every filter, newest start first, page by page', async () => {
    const all = await listRuntimeSessions(sessions.db(), { accountId, limit: 1000 });
    expect(all).toHaveLength(36);
    const hour = fc.integer({ min: -1, max: 13 }).map(at);
    const choice = fc.record(
      {
        active: fc.boolean(),
        runtimePrincipalId: fc.constantFrom('bot-1', 'bot-2', 'Bot-1', ''),
        flowId: fc.constantFrom(...flowIds),
        since: hour,
        until: hour,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(choice, fc.integer({ min: 1, max: 15 }), async (filter: Partial<SessionListFilter>, limit) => {
        const expected = all.filter(
          (one) =>
            (filter.active === undefined || (one.endedAt === null) === filter.active) &&
            (filter.runtimePrincipalId === undefined || one.runtimePrincipalId === filter.runtimePrincipalId) &&
            (filter.flowId === undefined || one.flowId === filter.flowId) &&
            (filter.since === undefined || one.startedAt >= filter.since) &&
            (filter.until === undefined || one.startedAt < filter.until),
        );
        const seen: string[] = [];
        for (let after: SessionListFilter['after']; ;) {
          const page = await listRuntimeSessions(sessions.db(), { accountId, ...filter, after, limit });
          expect(page.length).toBeLessThanOrEqual(limit);
          seen.push(...page.map(({ id }) => id));
          if (page.length < limit) break;
          after = page.at(-1);
        }
        expect(seen).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: 40 },
    );
  });

  it('is ordered by start, then by id, both descending', async () => {
    const all = await listRuntimeSessions(sessions.db(), { accountId, limit: 1000 });
    const sorted = [...all].sort(
      (left, right) => right.startedAt.getTime() - left.startedAt.getTime() || (left.id < right.id ? 1 : -1),
    );
    expect(all.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
  });

  it('finds an agent by its stored id (API-7)', async () => {
    const { accountId: own } = await sessions.openSession({ runtimePrincipalId: 'a\u0000b' });
    const find = (runtimePrincipalId: string) =>
      listRuntimeSessions(sessions.db(), { accountId: own, runtimePrincipalId, limit: 5 });
    expect(await find('a\u0000b')).toHaveLength(1);
    expect(await find('a%')).toEqual([]);
  });

  it('finds sessions changed since a given time, and the latest activity after a position in the list', async () => {
    const own = newId();
    const [old, fresh] = [new Date(base), new Date(base + 86_400_000)];
    const first = await sessions.openSession({ accountId: own, startedAt: at(1), now: old });
    const second = await sessions.openSession({ accountId: own, startedAt: at(2), now: fresh });
    const touched = await listRuntimeSessions(sessions.db(), { accountId: own, touchedSince: fresh, limit: 5 });
    expect(touched.map(({ id }) => id)).toEqual([second.sessionId]);
    const latest = (before: { startedAt: Date; id: string }, touchedSince?: Date) =>
      findLatestActivityBefore(sessions.db(), { accountId: own, before, touchedSince });
    expect(await latest({ startedAt: at(2), id: second.sessionId })).toEqual(old);
    expect(await latest({ startedAt: at(2), id: second.sessionId }, fresh)).toBeUndefined();
    expect(await latest({ startedAt: at(1), id: first.sessionId })).toBeUndefined();
    expect(await latest({ startedAt: at(9), id: newId() })).toEqual(at(2));
  });
});

describe('a session named by a string (SRCH-9)', () => {
  const find = async (accountId: string, text: string, limit = 5, sessionIds?: readonly string[]) =>
    (
      await findRuntimeSessionsByIdentifier(sessions.db(), {
        accountId,
        text,
        limit,
        ...(sessionIds && { sessionIds }),
      })
    ).map(({ id }) => id);

  it('is found only by the full string, case-sensitively', async () => {
    const { accountId, sessionId } = await sessions.openSession({
      sessionSourceId: 'Run-77',
      sessionReference: 'TICKET-7',
    });
    for (const text of ['Run-77', 'TICKET-7', sessionId, sessionId.toUpperCase()])
      expect([text, await find(accountId, text)]).toEqual([text, [sessionId]]);
    for (const text of ['run-77', 'Run-7', 'Run-%', 'TICKET', '', sessionId.slice(1), `{${sessionId}}`])
      expect([text, await find(accountId, text)]).toEqual([text, []]);
  });

  it('is listed once although several of its identifiers match', async () => {
    const id = newId();
    const { accountId, sessionId } = await sessions.openSession({
      ...{ sessionSourceId: id, sessionReference: id, executionId: id, apiKeyId: id },
    });
    expect(await find(accountId, id, 5, [sessionId])).toEqual([sessionId]);
  });

  it('can be one of several: newest first, up to the requested number', async () => {
    const accountId = newId();
    const ids: string[] = [];
    for (let day = 1; day <= 4; day += 1) {
      const startedAt = new Date(Date.UTC(2026, 0, day));
      ids.unshift((await sessions.openSession({ accountId, sessionReference: 'SAME', startedAt })).sessionId);
    }
    expect(await find(accountId, 'SAME')).toEqual(ids);
    expect(await find(accountId, 'SAME', 2)).toEqual(ids.slice(0, 2));
  });

  it('is not found in another account, even by its id', async () => {
    const [one, other] = [await sessions.openSession(), await sessions.openSession()];
    expect(await find(one.accountId, newId(), 5, [other.sessionId, one.sessionId])).toEqual([one.sessionId]);
    expect((await readSessionHeadings(sessions.db(), { accountId: one.accountId, sessionIds: [] })).size).toBe(0);
  });
});
