import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { eventually } from '@steward/testing';
import { startTestWorker, type TestWorker } from './testing/start-worker.ts';

const PATIENCE_MS = 40_000;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Ways in which a run is ended from outside. Each agent starts a child of its own: the whole group has to go. */
describe('a run that is ended', () => {
  let worker: TestWorker;
  let scratch: string;
  let count = 0;
  beforeAll(async () => {
    worker = await startTestWorker({ SHUTDOWN_DEADLINE_SECONDS: '3' });
    scratch = mkdtempSync(resolve(tmpdir(), 'steward-ends-'));
    // The shortest time a flow may have is a minute; the test has less.
    await sql`alter table flows.flow drop constraint flow_timeout_seconds_check`.execute(worker.database.db);
  });
  afterAll(async () => {
    await worker.stop();
    rmSync(scratch, { recursive: true });
  }, PATIENCE_MS);

  /** Starts an agent that ignores SIGTERM and waits for ever; answers the processes of its group. */
  const startStubborn = async (fields: { timeout_seconds?: number } = {}) => {
    const pidFile = resolve(scratch, `pids-${(count += 1)}`);
    const flow = await worker.createFlow(
      `trap '' TERM; (trap '' TERM; sleep 300) & echo "$! $$" > ${pidFile}; while :; do sleep 1; done`,
      { ...fields, evidence: { enabled: true, paths: ['.'] }, setup_commands: ['echo left > behind.txt'] },
    );
    const { id } = await worker.trigger(flow);
    const pids = await eventually(() => {
      const found = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim().split(' ').map(Number) : [];
      return found.length === 2 ? found : undefined;
    });
    return { id, pids };
  };
  const expectGone = async (pids: readonly number[]): Promise<void> => {
    for (const pid of pids) await eventually(() => !isAlive(pid), { timeoutMs: 10_000 });
  };

  it(
    'by its timeout is FAILED with it, its processes are gone, its evidence is kept',
    async () => {
      const { id, pids } = await startStubborn({ timeout_seconds: 2 });
      const ended = await worker.waitForEnd(id);
      expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'timeout']);
      expect(ended.evidence_receipt).toMatchObject({ status: 'available' });
      await expectGone(pids);
    },
    PATIENCE_MS,
  );

  it(
    'by a lost lease loses its processes and writes nothing more: the other worker’s word stands',
    async () => {
      const { id, pids } = await startStubborn();
      await sql`
        update flows.execution set status = 'FAILED', failure_category = 'runner_error', error_message = 'the other worker',
          lease_token = null, lease_until = null, finished_at = now()
        where id = ${id}
      `.execute(worker.database.db);
      await expectGone(pids);
      await eventually(() => !existsSync(resolve(worker.workDirectory, id)));
      expect(await worker.find(id)).toMatchObject({ status: 'FAILED', error_message: 'the other worker' });
    },
    PATIENCE_MS,
  );

  it(
    'by the stop of its worker is FAILED with runner_error at once, not after its lease',
    async () => {
      const { id, pids } = await startStubborn();
      await worker.replaceWorker({});
      const ended = await worker.find(id);
      expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'runner_error']);
      await expectGone(pids);
    },
    PATIENCE_MS,
  );
});
