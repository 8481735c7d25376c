import { newId } from '@steward/crypto';
import { message, useSessions, type Key } from '../../testing/use-sessions.ts';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { closeImportedSession } from '../../sessions/operations/close-imported-session.ts';
import { importSessionContent, type ImportSessionContentInput } from './import-session-content.ts';

const sessions = useSessions();
const at = (hour: number): Date => new Date(Date.UTC(2026, 9, 5, hour));

function importPart(input: Partial<ImportSessionContentInput>) {
  const full = { accountId: newId(), sessionSourceType: 'codex', sessionSourceId: 'one', entries: [], now: new Date() };
  return sessions.run((trx, hints) => importSessionContent(trx, hints, { ...full, ...input }, WRITE_OPTIONS));
}

const close = (key: Key, input: { endedAt?: Date; idleMinutes?: number } = {}) =>
  sessions.run((trx) => closeImportedSession(trx, { ...key, idleMinutes: 60, now: new Date(), ...input }));

describe('importing a session in parts', () => {
  it('starts it with the oldest entry of all parts and stores each entry once (IMP-5)', async () => {
    const accountId = newId();
    const later = [message('b', 'b', at(9)), message('c', 'c', at(10))];
    const first = await importPart({ accountId, entries: later });
    expect(first).toMatchObject({ created: true, stored: 2, skipped: 0 });
    expect(first.session.startedAt).toEqual(at(9));
    const second = await importPart({ accountId, entries: [message('a', 'a', at(8)), ...later] });
    expect(second).toMatchObject({ created: false, stored: 1, skipped: 2 });
    expect(await sessions.read({ accountId, sessionId: first.session.id })).toMatchObject({ startedAt: at(8) });
  });

  it('that it has already changes no column', async () => {
    const accountId = newId();
    const part = { accountId, title: 'Retry', labels: ['repo:shop'], entries: [message('a', 'a', at(8))] };
    const { session } = await importPart(part);
    const key = { accountId, sessionId: session.id };
    const before = await sessions.query('select * from gateway.runtime_session where id = $1', [session.id]);
    expect(await importPart(part)).toMatchObject({ created: false, stored: 0, skipped: 1 });
    expect(await sessions.query('select * from gateway.runtime_session where id = $1', [session.id])).toEqual(before);
    expect(await sessions.readTimeline(key)).toHaveLength(1);
  });

  it('twice at once stores it once', async () => {
    const accountId = newId();
    const entries = Array.from({ length: 20 }, (_, index) => message(`m${index}`, `m${index}`, at(8)));
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => importPart({ accountId, entries })));
    expect(outcomes.filter(({ created }) => created)).toHaveLength(1);
    expect(outcomes.reduce((sum, { stored }) => sum + stored, 0)).toBe(20);
  });

  it('keeps a title that somebody gave', async () => {
    const accountId = newId();
    const { sessionId } = await sessions.openSession({
      ...{ accountId, sessionSourceType: 'codex', sessionSourceId: 'one', title: 'Ours' },
    });
    await importPart({ accountId, title: 'Theirs', entries: [message('a', 'a', at(8))] });
    expect(await sessions.read({ accountId, sessionId })).toMatchObject({ title: 'Ours' });
  });
});

describe('a session that was over before it was imported (IMP-6)', () => {
  it('ends with its last entry, reason idle, and tells nobody', async () => {
    const accountId = newId();
    await sessions.addEndpoint(accountId);
    const { session } = await importPart({ accountId, entries: [message('a', 'a', at(8)), message('b', 'b', at(9))] });
    const key = { accountId, sessionId: session.id };
    expect(await close(key)).toBe(true);
    expect(await close(key)).toBe(false);
    expect(await sessions.read(key)).toMatchObject({ endedAt: at(9), endReason: 'idle' });
    expect(await sessions.readEvents(accountId)).toEqual([]);
  });

  it('ends when the importer says, never before its start', async () => {
    for (const [endedAt, expected] of [
      [at(11), at(11)],
      [at(1), at(8)],
    ] as const) {
      const { session } = await importPart({ entries: [message('a', 'a', at(8))] });
      const key = { accountId: session.accountId, sessionId: session.id };
      await close(key, { endedAt });
      expect(await sessions.read(key)).toMatchObject({ endedAt: expected, endReason: 'operator' });
    }
  });

  it('is not one that goes on, nor any when sessions are never idle, nor one that was opened while it ran', async () => {
    const running = await importPart({ entries: [message('a', 'a', new Date())] });
    const old = await importPart({ entries: [message('a', 'a', at(8))] });
    const live = await sessions.openSession({ now: at(8) });
    const keyOf = ({ session }: typeof old) => ({ accountId: session.accountId, sessionId: session.id });
    expect(await close(keyOf(running))).toBe(false);
    expect(await close(keyOf(old), { idleMinutes: 0 })).toBe(false);
    expect(await close(live)).toBe(false);
    expect(await close(keyOf(old))).toBe(true);
  });
});
