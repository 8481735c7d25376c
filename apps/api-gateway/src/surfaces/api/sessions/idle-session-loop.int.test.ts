import { beginTrace, newId } from '@steward/crypto';
import { APP_ROLES, transact, type Database } from '@steward/database';
import { openClone, type Clone } from '@steward/database/testing';
import { loadSettings } from '@steward/process';
import { readRuntimeSession, upsertRuntimeSession } from '@steward/sessions';
import { createFakeClock, eventually } from '@steward/testing';
import { gatewaySettings } from '../../../config.ts';
import { createIdleSessionLoop } from '@steward/sessions-api';

const broker = { publishHint: () => undefined };
let clone: Clone;
let database: Database;
beforeAll(async () => {
  clone = await openClone({ poolSize: 4 });
  database = clone.connectAs(APP_ROLES.apiGateway);
});
afterAll(() => clone.close());

const readSettings = (timeoutMinutes: number) =>
  loadSettings(gatewaySettings, {
    DATABASE_URL: clone.url,
    NATS_URL: 'nats://127.0.0.1:4222',
    SECRET_KEY: 'a-secret-key-for-tests-only-0123456789',
    RUNTIME_SESSION_IDLE_TIMEOUT_MINUTES: String(timeoutMinutes),
  });
const openSession = async (now: Date) => {
  const input = { accountId: newId(), sessionSourceType: 'test', sessionSourceId: newId(), now };
  const options = { indexEnabled: false, captureContent: true, maxPendingPerAccount: 10 };
  const { session } = await transact({ db: database.db, broker, traceparent: beginTrace() }, (trx, hints) =>
    upsertRuntimeSession(trx, hints, input, options),
  );
  return { accountId: session.accountId, sessionId: session.id };
};

describe('the loop that ends idle sessions (SESS-4)', () => {
  it('ends idle sessions in more than one batch, and sessions that become idle later', async () => {
    const clock = createFakeClock(new Date());
    const early = await Promise.all(Array.from({ length: 5 }, () => openSession(clock.now())));
    const later = await openSession(new Date(clock.now().getTime() + 10 * 60_000));
    const deps = { db: database.db, broker, settings: readSettings(5), clock, logger: clone.logger };
    const loop = createIdleSessionLoop(deps, { intervalMs: 10, batchSize: 2 });
    const isIdle = async (key: { accountId: string; sessionId: string }) =>
      (await readRuntimeSession(database.db, key))?.endReason === 'idle';
    await loop.start?.();
    try {
      clock.advance(6 * 60_000);
      await eventually(async () => ((await Promise.all(early.map(isIdle))).every(Boolean) ? true : undefined));
      expect(await isIdle(later)).toBe(false);
      clock.advance(10 * 60_000);
      await eventually(async () => ((await isIdle(later)) ? true : undefined));
    } finally {
      await loop.stop?.();
    }
  });

  it('does nothing if the timeout is 0, even while another loop runs', async () => {
    const countLooks = (timeoutMinutes: number) => {
      let looks = 0;
      const clock = { now: () => new Date((looks += 1)) };
      const deps = { db: database.db, broker, settings: readSettings(timeoutMinutes), clock, logger: clone.logger };
      return { loop: createIdleSessionLoop(deps, { intervalMs: 1, batchSize: 10 }), readLooks: () => looks };
    };
    const [off, on] = [countLooks(0), countLooks(1)];
    await off.loop.start?.();
    await on.loop.start?.();
    await eventually(() => on.readLooks() >= 5);
    await Promise.all([off.loop.stop?.(), on.loop.stop?.()]);
    expect(off.readLooks()).toBe(0);
  });
});
