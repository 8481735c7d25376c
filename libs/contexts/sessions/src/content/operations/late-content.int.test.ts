import fc from 'fast-check';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { logLine, message, useSessions } from '../../testing/use-sessions.ts';

const sessions = useSessions();

describe('the activity of a session (SESS-5, SESS-11)', () => {
  it('accepts content for an ended session and does not reopen it', async () => {
    const key = await sessions.openSession();
    await sessions.end(key);
    const ended = await sessions.read(key);
    await sessions.append(key, [message('late telemetry')]);
    expect(await sessions.read(key)).toMatchObject({
      endedAt: ended?.endedAt,
      endReason: 'operator',
    });
    expect(await sessions.readChunks(key)).toHaveLength(1);
  });

  it('only moves the time of the last activity forward, and never into the future', async () => {
    const now = new Date('2026-06-01T12:00:00.000Z');
    const key = await sessions.openSession({ startedAt: new Date('2026-06-01T11:00:00Z'), now });
    const activity = async (occurredAt: string) => {
      await sessions.append(
        key,
        [{ kind: 'flow_log', text: 'x', occurredAt: new Date(occurredAt) }],
        WRITE_OPTIONS,
        now,
      );
      return (await sessions.read(key))?.lastActivityAt.toISOString();
    };
    expect(await activity('2026-06-01T11:30:00Z')).toBe('2026-06-01T11:30:00.000Z');
    expect(await activity('2026-06-01T11:10:00Z')).toBe('2026-06-01T11:30:00.000Z');
    expect(await activity('2999-01-01T00:00:00Z')).toBe(now.toISOString());
  });

  it('is the newest time, for content in any order', async () => {
    const base = Date.UTC(2026, 5, 1, 12);
    const now = new Date(base);
    const minutes = fc.array(fc.integer({ min: -600, max: 600 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(minutes, { minLength: 1, maxLength: 3 }), async (requests) => {
        const startedAt = new Date(base - 300 * 60_000);
        const key = await sessions.openSession({ startedAt, now });
        for (const times of requests)
          await sessions.append(
            key,
            times.map((minute) => logLine('x', new Date(base + minute * 60_000))),
            WRITE_OPTIONS,
            now,
          );
        const newest = Math.max(-300, ...requests.flat().map((minute) => Math.min(minute, 0)));
        const session = await sessions.read(key);
        expect((session!.lastActivityAt.getTime() - base) / 60_000).toBe(newest);
        expect(session!.startedAt).toEqual(startedAt);
      }),
      { numRuns: 15 },
    );
  });

  it('is the newest time under simultaneous writes', async () => {
    const now = new Date('2026-06-01T12:00:00.000Z');
    const key = await sessions.openSession({ startedAt: new Date('2026-06-01T10:00:00Z'), now });
    const at = (minute: number) => new Date(Date.UTC(2026, 5, 1, 11, minute));
    await Promise.all(
      [5, 40, 10, 59, 20].map((minute) => sessions.append(key, [logLine('x', at(minute))], WRITE_OPTIONS, now)),
    );
    expect((await sessions.read(key))?.lastActivityAt).toEqual(at(59));
  });

  it('is the current time for content without a time', async () => {
    const now = new Date(Date.now() + 3_600_000);
    const key = await sessions.openSession();
    await sessions.append(key, [message('x')], WRITE_OPTIONS, now);
    expect(await sessions.read(key)).toMatchObject({ lastActivityAt: now, updatedAt: now });
    expect(await sessions.readTimeline(key)).toMatchObject([{ occurredAt: now, createdAt: now }]);
  });

  it('includes both the content and the end if a session ends during the write', async () => {
    const key = await sessions.openSession();
    const [, outcome] = await sessions.overlap(
      (trx, hints) => sessions.endIn(trx, hints, key),
      () => sessions.append(key, [message('at the last moment', 'm')]),
    );
    expect(outcome).toMatchObject({ kind: 'stored' });
    expect(await sessions.read(key)).toMatchObject({ endReason: 'operator' });
    expect(await sessions.readTimeline(key)).toHaveLength(1);
  });
});
