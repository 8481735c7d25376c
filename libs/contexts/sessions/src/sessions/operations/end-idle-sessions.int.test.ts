import { logLine, useSessions } from '../../testing/use-sessions.ts';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { appendSessionContent } from '../../content/operations/append-session-content.ts';
import { endIdleSessions } from './end-runtime-session.ts';

const MINUTE_MS = 60_000;

const sessions = useSessions();

describe('the idle sweep (SESS-4)', () => {
  const sweep = (now: Date, limit = 100) =>
    sessions.run((trx, hints) => endIdleSessions(trx, hints, { timeoutMinutes: 60, now, limit }, WRITE_OPTIONS));

  it('ends only sessions without writes for the whole timeout, with the reason idle and one event', async () => {
    const longAgo = new Date(Date.now() - 120 * MINUTE_MS);
    const idle = await sessions.openSession({ now: longAgo });
    await sessions.addEndpoint(idle.accountId);
    const fresh = await sessions.openSession({ now: new Date(Date.now() - 59 * MINUTE_MS) });
    const written = await sessions.openSession({ now: longAgo });
    const entries = [{ kind: 'flow_log' as const, text: 'still here' }];
    await sessions.run((trx, hints) =>
      appendSessionContent(trx, hints, { ...written, entries, now: new Date() }, WRITE_OPTIONS),
    );
    // This session counts as used now, because its old content may be imported at this moment.
    const imported = await sessions.openSession({ startedAt: new Date('2020-01-01T00:00:00Z') });

    const ended = (await sweep(new Date())).map((session) => session.id);
    expect(ended).toContain(idle.sessionId);
    for (const kept of [fresh, written, imported]) expect(ended).not.toContain(kept.sessionId);
    expect(await sessions.read(idle)).toMatchObject({ endReason: 'idle' });
    expect((await sessions.readEvents(idle.accountId)).length).toBe(1);
  });

  it('shares the work between processes: no session is ended twice or missed', async () => {
    const longAgo = new Date(Date.now() - 120 * MINUTE_MS);
    const opened = await Promise.all(Array.from({ length: 30 }, () => sessions.openSession({ now: longAgo })));
    const batches = await Promise.all(Array.from({ length: 6 }, () => sweep(new Date(), 10)));
    batches.push(await sweep(new Date()));
    const ended = batches.flat().map((session) => session.id);
    expect(new Set(ended).size).toBe(ended.length);
    expect(ended).toEqual(expect.arrayContaining(opened.map((session) => session.sessionId)));
  });

  it('never ends a session early, and ends it within a minute', async () => {
    const base = Date.UTC(2030, 0, 1);
    const at = (seconds: number) => new Date(base + seconds * 1000);
    const key = await sessions.openSession({ now: at(0) });
    // When content is stored in quick succession, not every write updates the time, but each must count as activity.
    await sessions.append(key, [logLine('x', at(29))], WRITE_OPTIONS, at(29));
    const isEndedAt = async (seconds: number) =>
      (await sweep(at(seconds))).some((session) => session.id === key.sessionId);
    expect(await isEndedAt(3600)).toBe(false);
    expect(await isEndedAt(3629)).toBe(false);
    expect(await isEndedAt(3689)).toBe(true);
    expect(await isEndedAt(9999)).toBe(false);
  });

  it('ends sessions at the time of the sweep, regardless of the times of their content', async () => {
    const now = new Date('2031-01-01T12:00:00.000Z');
    const key = await sessions.openSession({ now: new Date('2031-01-01T10:00:00.000Z') });
    await sessions.append(
      key,
      [logLine('x', new Date('2020-01-01T00:00:00Z'))],
      WRITE_OPTIONS,
      new Date('2031-01-01T10:00:00.000Z'),
    );
    await sweep(now);
    expect(await sessions.read(key)).toMatchObject({ endedAt: now, endReason: 'idle', updatedAt: now });
  });

  it('ends sessions up to its limit, longest idle first', async () => {
    const opened: string[] = [];
    for (const hour of [3, 1, 2]) {
      const key = await sessions.openSession({ now: new Date(Date.UTC(2032, 0, 1, hour)) });
      opened[hour] = key.sessionId;
    }
    const now = new Date(Date.UTC(2032, 0, 2));
    await sweep(new Date(Date.UTC(2032, 0, 1, 1)), 10_000);
    const order: (string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) order.push(...(await sweep(now, 1)).map((session) => session.id));
    expect(order).toEqual([opened[1], opened[2], opened[3]]);
    expect(await sweep(now, 1)).toEqual([]);
  });

  it('skips a session that is being written to', async () => {
    const [longAgo, now] = [new Date(Date.UTC(2033, 0, 1)), new Date(Date.UTC(2033, 0, 2))];
    const key = await sessions.openSession({ now: longAgo });
    const other = await sessions.openSession({ now: longAgo });
    await sessions.run(async (trx, hints) => {
      await appendSessionContent(trx, hints, { ...key, entries: [logLine('x')], now }, WRITE_OPTIONS);
      expect((await sweep(now)).map((session) => session.id)).toEqual([other.sessionId]);
    });
    expect(await sweep(now)).toEqual([]);
    expect(await sessions.read(key)).toMatchObject({ endedAt: null });
  });

  it('does not change manually ended sessions', async () => {
    const [longAgo, now] = [new Date(Date.UTC(2034, 0, 1)), new Date(Date.UTC(2034, 0, 2))];
    const key = await sessions.openSession({ now: longAgo });
    await sessions.end(key, longAgo);
    expect((await sweep(now)).map((session) => session.id)).not.toContain(key.sessionId);
    expect(await sessions.read(key)).toMatchObject({ endReason: 'operator', endedAt: longAgo });
  });

  it('is rolled back with its transaction', async () => {
    const [longAgo, now] = [new Date(Date.UTC(2035, 0, 1)), new Date(Date.UTC(2035, 0, 2))];
    const key = await sessions.openSession({ now: longAgo });
    const failing = sessions.run(async (trx, hints) => {
      await endIdleSessions(trx, hints, { timeoutMinutes: 60, now, limit: 100 }, WRITE_OPTIONS);
      throw new Error('fault before the commit');
    });
    await expect(failing).rejects.toThrow('fault before the commit');
    expect((await sweep(now)).map((session) => session.id)).toContain(key.sessionId);
  });
});
