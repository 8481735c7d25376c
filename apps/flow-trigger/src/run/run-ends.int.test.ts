import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { eventually, findProcesses } from '@steward/testing';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';

/**
 * Tests runs that are ended from outside. Each agent starts a child process, because the whole process group has to
 * end.
 */
describe('a run that is ended', () => {
  let worker: TestWorker;
  let count = 0;
  beforeAll(async () => {
    worker = await startTestWorker({ FLOW_STOP_GRACE_SECONDS: '1' });
    // The minimum timeout of a flow is a minute; the test needs a shorter one.
    await sql`alter table flows.flow drop constraint flow_timeout_seconds_check`.execute(worker.database.db);
  });
  afterAll(async () => {
    await worker.stop();
  });

  /** Starts an agent that ignores SIGTERM and never ends; returns a mark by which its processes can be found. */
  const startStubborn = async (fields: { timeout_seconds?: number } = {}) => {
    const mark = `300.${process.pid}${(count += 1)}`;
    const flow = await worker.createFlow(`trap '' TERM; (trap '' TERM; sleep ${mark}) & while :; do sleep 1; done`, {
      ...fields,
      evidence: { enabled: true, paths: ['.'] },
      setup_commands: ['echo left > behind.txt'],
    });
    const { id } = await worker.trigger(flow);
    await eventually(() => findProcesses(`sleep\0${mark}`).length === 1);
    return { id, mark };
  };
  const expectGone = async (mark: string): Promise<void> => {
    await eventually(() => findProcesses(mark).length === 0);
  };

  it('is FAILED at its timeout, its processes are ended and its evidence is stored (EXEC-2, EXEC-16, EXEC-18)', async () => {
    const { id, mark } = await startStubborn({ timeout_seconds: 30 });
    const ended = await worker.waitForEnd(id);
    expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'timeout']);
    expect(ended.evidence_receipt).toMatchObject({ status: 'available' });
    await expectGone(mark);
  });

  it('loses its processes when it loses its lease, and writes nothing more: the result of the other worker remains (EXEC-6)', async () => {
    const { id, mark } = await startStubborn();
    await sql`
        update flows.execution set status = 'FAILED', failure_category = 'runner_error', error_message = 'the other worker',
          lease_token = null, lease_until = null, finished_at = now()
        where id = ${id}
      `.execute(worker.database.db);
    await expectGone(mark);
    await eventually(() => !existsSync(resolve(worker.workDirectory, id)));
    expect(await worker.find(id)).toMatchObject({ status: 'FAILED', error_message: 'the other worker' });
  });

  it('may finish within the grace period after its worker is stopped; the worker then exits and accepts nothing new (PROC-8)', async () => {
    // The grace period is longer than any test may take: if the worker waited for the whole period, this test would
    // time out.
    await worker.replaceWorker({ FLOW_STOP_GRACE_SECONDS: '600' });
    const mark = `300.${process.pid}${(count += 1)}`;
    const { id } = await worker.trigger(await worker.createFlow(`sleep ${mark}; echo done`));
    const [sleeping] = await eventually(() => {
      const found = findProcesses(`sleep\0${mark}`);
      return found.length === 1 && found;
    });
    const replacing = worker.replaceWorker({});
    const waiting = await worker.trigger(await worker.createFlow('echo next'));
    process.kill(sleeping!);
    await replacing;
    const ended = await worker.find(id);
    expect([ended.status, ended.failure_category]).toEqual(['SUCCEEDED', null]);
    const next = await worker.waitForEnd(waiting.id);
    expect(next.started_at?.getTime()).toBeGreaterThan(ended.finished_at?.getTime() ?? Infinity);
  });

  it('is FAILED with runner_error immediately, without waiting for the end of its lease, if its worker is stopped and the grace period is over', async () => {
    const { id, mark } = await startStubborn();
    await worker.replaceWorker({});
    const ended = await worker.find(id);
    expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'runner_error']);
    await expectGone(mark);
  });
});
