import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { beginTrace, newId, readTraceId } from '@steward/crypto';
import { transact } from '@steward/database';
import { findRunningAgents, stopExecution } from '@steward/flows';
import { createAuthenticate, createTokenSigner } from '@steward/identity';
import { findCredentialSightings } from '@steward/search';
import { eventually, findProcesses, releaseAfterAll } from '@steward/testing';
import { startTestWorker } from '../testing/start-worker.ts';
import { useWorker } from '../testing/use-worker.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
describe('a run', () => {
  const worker = useWorker({ FLOW_MAX_LOG_BYTES: '20000' });

  it('passes the prompt as a file and on standard input, writes the workspace files and reads the result (EXEC-12, EXEC-14)', async () => {
    const flow = await worker().createFlow(
      'cat > from-stdin.txt; cmp from-stdin.txt "$STEWARD_PROMPT_FILE"; echo "file says: $(cat docs/a.txt)"; echo "{\\"execution\\":\\"$STEWARD_EXECUTION_ID\\"}" > result.json',
    );
    const execution = await worker().trigger(flow, {
      subject: 'the task',
      workspace_files: [{ path: 'docs/a.txt', content_base64: base64('hello') }],
    });
    const ended = await worker().waitForEnd(execution.id);
    expect([ended.status, ended.failure_category, ended.error_message]).toEqual(['SUCCEEDED', null, null]);
    expect(ended.resolved_input_prompt).toBe('Work on the task');
    expect(ended.result).toEqual({ execution: execution.id });
    expect(await worker().readLog(ended)).toContain('file says: hello');
  });

  it('records where a credential was logged, using its own restricted role, but not its value', async () => {
    const token = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_');
    const ended = await worker().waitForEnd(
      (await worker().trigger(await worker().createFlow(`printf 'ghp_%s\\n' ${token.slice(4)}`))).id,
    );
    expect(ended.status).toBe('SUCCEEDED');
    const { accountId, database } = worker();
    const seen = await findCredentialSightings(database.db, { accountId, value: token, limit: 10 });
    expect(seen).toMatchObject([{ sourceKind: 'flow_log', runtimeSessionId: ended.runtime_session_id }]);
    const { rows } = await database.pool.query('select content from search.chunk where content like $1', [
      `%${token.slice(4)}%`,
    ]);
    expect(rows).toEqual([]);
  });

  it('gives the agent a clean environment without the worker’s secrets (EXEC-13)', async () => {
    const ended = await worker().waitForEnd(
      (await worker().trigger(await worker().createFlow('env | cut -d= -f1 | sort'))).id,
    );
    const log = await worker().readLog(ended);
    expect(log).toContain('STEWARD_WORKSPACE');
    for (const name of ['DATABASE_URL', 'NATS_URL', 'SECRET_KEY']) expect(log).not.toContain(name);
  });

  it('passes the trace of the execution to each of its programs (EXEC-22)', async () => {
    const flow = await worker().createFlow('echo "agent $TRACEPARENT"', {
      setup_commands: ['echo "setup $TRACEPARENT"'],
    });
    const execution = await worker().trigger(flow);
    const log = await worker().readLog(await worker().waitForEnd(execution.id));
    expect(readTraceId(execution.traceparent)).toBeDefined();
    for (const step of ['agent', 'setup']) expect(log).toContain(`${step} ${execution.traceparent}`);
  });

  it('leaves no workspace behind', async () => {
    const ended = await worker().waitForEnd((await worker().trigger(await worker().createFlow('echo x > y'))).id);
    await eventually(() => !existsSync(resolve(worker().workDirectory, ended.id)));
  });

  it.each([
    ['an agent that fails', 'exit 3', 'agent_error', 'exit code 3'],
    ['an agent that is killed', 'kill -9 $$', 'agent_error', 'SIGKILL'],
  ])('is FAILED if %s (EXEC-15)', async (_what, command, category, reason) => {
    const ended = await worker().waitForEnd((await worker().trigger(await worker().createFlow(command))).id);
    expect([ended.status, ended.failure_category]).toEqual(['FAILED', category]);
    expect(ended.error_message).toContain(reason);
  });

  it('ends before the agent starts if a setup command fails (EXEC-3)', async () => {
    const flow = await worker().createFlow('echo agent ran', { setup_commands: ['echo preparing', 'exit 7'] });
    const ended = await worker().waitForEnd((await worker().trigger(flow)).id);
    expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'setup_failed']);
    const log = await worker().readLog(ended);
    expect(log).toContain('preparing');
    expect(log).not.toContain('agent ran');
  });

  it('renders a missing placeholder as empty, and logs its name (FLOW-42)', async () => {
    const flow = await worker().createFlow('true', { prompt_template: 'a{{trigger_event.payload.nothing.here}}b' });
    const ended = await worker().waitForEnd((await worker().trigger(flow)).id);
    expect(ended.resolved_input_prompt).toBe('ab');
    expect(await worker().readLog(ended)).toContain('trigger_event.payload.nothing.here');
  });

  it('fails for an invalid declaration that bypassed the trigger routes, with the same message, before anything runs (FLOW-38)', async () => {
    const flow = await worker().createFlow('echo agent ran');
    const execution = await worker().trigger(flow, {
      workspace_files: [{ path: '../../etc/passwd', content_base64: base64('x') }],
    });
    const ended = await worker().waitForEnd(execution.id);
    expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'workspace_rejected']);
    expect(ended.error_message).toContain('traverses upwards');
    expect(await worker().readLog(ended)).not.toContain('agent ran');
  });

  it('ends the agent and everything that the agent started when the run is stopped (EXEC-8, EXEC-16)', async () => {
    const mark = `301.${process.pid}`;
    const flow = await worker().createFlow(`sleep ${mark} & sh -c 'sleep ${mark} & wait' & echo started; wait`);
    const execution = await worker().trigger(flow);
    await eventually(() => findProcesses(`sleep\0${mark}`).length === 2);
    const input = { accountId: worker().accountId, executionId: execution.id, now: new Date() };
    await transact(
      { db: worker().database.db, broker: { publishHint: () => undefined }, traceparent: beginTrace() },
      (trx, hints) =>
        stopExecution(trx, hints, input, { indexEnabled: true, captureContent: true, maxPendingPerAccount: 10 }),
    );
    const ended = await worker().waitForEnd(execution.id);
    expect([ended.status, ended.failure_category]).toEqual(['STOPPED', 'cancelled']);
    await eventually(() => findProcesses(mark).length === 0);
  });

  it('starts even if its message was lost (EXEC-5, PROC-10)', async () => {
    const execution = await worker().trigger(await worker().createFlow('true'), {}, { announce: false });
    expect((await worker().waitForEnd(execution.id)).status).toBe('SUCCEEDED');
  });

  it('is FAILED with runner_error if its worker no longer runs, and is not repeated (EXEC-6)', async () => {
    const execution = await worker().trigger(await worker().createFlow('echo agent ran'), {}, { announce: false });
    // This is the state that a killed worker leaves: claimed, lease expired, no outcome.
    await sql`
      update flows.execution set status = 'RUNNING', lease_token = gen_random_uuid(), lease_until = now() - interval '1 second',
        worker_id = 'gone', started_at = now() where id = ${execution.id}
    `.execute(worker().database.db);
    const ended = await worker().waitForEnd(execution.id);
    expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'runner_error']);
    expect(await worker().readLog(ended)).not.toContain('agent ran');
  });

  it('is never executed by two workers (EXEC-6)', async () => {
    const second = await worker().startWorker();
    const flow = await worker().createFlow('echo "ran $STEWARD_EXECUTION_ID"');
    const executions = await Promise.all(Array.from({ length: 12 }, () => worker().trigger(flow)));
    for (const execution of executions) {
      const ended = await worker().waitForEnd(execution.id);
      expect(ended.status).toBe('SUCCEEDED');
      expect((await worker().readLog(ended)).split(`ran ${execution.id}`)).toHaveLength(2);
    }
    expect(await second.stop()).toBe(true);
  });

  it('with endless output has its log truncated, logs the truncation, and still ends with its result (LIM-33)', async () => {
    const flow = await worker().createFlow('yes "a line of output" | head -c 9000000; echo never logged');
    const ended = await worker().waitForEnd((await worker().trigger(flow)).id);
    expect(ended.status).toBe('SUCCEEDED');
    const log = await worker().readLog(ended);
    expect(log.length).toBeLessThan(21_000);
    expect(log).toContain('[log capped by Steward after 20000 bytes]');
    expect(log).not.toContain('never logged');
    expect(log).toContain('execution SUCCEEDED');
  });
});

describe('the slots of an account', () => {
  const places = { FLOW_ACCOUNT_CONCURRENCY: '2', FLOW_CONCURRENCY: '4', FLOW_RECONCILE_SECONDS: '600' };
  const releaseSecond = releaseAfterAll();
  const first = useWorker(places);

  it('limit its simultaneous runs across all workers; waiting runs start as soon as a slot is free, and runs of other accounts overtake them (EXEC-4)', async () => {
    const worker = first();
    const second = await worker.startWorker();
    releaseSecond(() => second.stop());
    const command =
      'echo "from $(date +%s%N)"; touch begun; while ! [ -e go ]; do sleep 0.05; done; echo "to $(date +%s%N)"';
    const flow = await worker.createFlow(command, { timeout_seconds: 600 });
    const fileOf = (id: string, name: string) => resolve(worker.workDirectory, id, 'run/workspace', name);
    const executions = await Promise.all(Array.from({ length: 9 }, () => worker.trigger(flow)));
    let unended = executions.map(({ id }) => id);
    const waitForPlaces = (taken: number) =>
      eventually(() => {
        const begun = unended.filter((id) => existsSync(fileOf(id, 'begun')));
        return begun.length === taken ? begun : undefined;
      });
    await waitForPlaces(2);
    const other = await worker.trigger(await worker.createFlow('true', {}, newId()));
    expect((await worker.waitForEnd(other.id)).status).toBe('SUCCEEDED');
    while (unended.length > 0) {
      const begun = await waitForPlaces(Math.min(2, unended.length));
      for (const id of begun) writeFileSync(fileOf(id, 'go'), '');
      for (const id of begun) expect((await worker.waitForEnd(id)).status).toBe('SUCCEEDED');
      unended = unended.filter((id) => !begun.includes(id));
    }
    const logs = await Promise.all(executions.map(async ({ id }) => worker.readLog(await worker.find(id))));
    const times = logs.map((log) => /from (\d+)\nto (\d+)/.exec(log)!.slice(1).map(Number) as [number, number]);
    // Number of running executions whenever one starts.
    const running = times.map(([begun]) => times.filter(([from, to]) => from <= begun && begun < to).length);
    expect(Math.max(...running)).toBe(2);
  });
});

describe('the token of an agent', () => {
  it('acts for its account and its session during the run, and appears in no log (EXEC-13, ACC-30, MASK-11)', async () => {
    const worker = await startTestWorker({ FLOW_AGENT_API_URL: 'http://api.example.test' });
    const flow = await worker.createFlow(
      'echo "token: $STEWARD_TOKEN at $STEWARD_API_URL"; printf %s "$STEWARD_TOKEN" > token; while ! [ -e go ]; do sleep 0.05; done',
      { setup_commands: ['echo "setup has [$STEWARD_TOKEN]"'], timeout_seconds: 600 },
    );
    const { id } = await worker.trigger(flow);
    const folder = resolve(worker.workDirectory, id, 'run/workspace');
    const token = await eventually(
      () => (existsSync(`${folder}/token`) && readFileSync(`${folder}/token`, 'utf8')) || undefined,
    );
    const signer = createTokenSigner('a-secret-key-for-tests-only-0123456789', 60);
    const { db } = worker.database;
    const findAgents = (hashes: readonly Buffer[], now: Date) => findRunningAgents(db, hashes, { now });
    const authenticate = (now: Date) =>
      createAuthenticate({ db, signer, edition: 'oss', now: () => now, findRunningAgents: findAgents })(token);
    const running = await worker.find(id);
    expect(await authenticate(new Date())).toMatchObject({
      accountId: worker.accountId,
      runtimeSessionId: running.runtime_session_id,
      permissions: new Set(['view_runtime_sessions', 'manage_runtime_sessions', 'view_flows']),
    });
    expect(await authenticate(new Date(Date.now() + 661_000))).toBeUndefined();
    writeFileSync(`${folder}/go`, '');
    const ended = await worker.waitForEnd(id);
    expect(ended.status).toBe('SUCCEEDED');
    expect(await authenticate(new Date())).toBeUndefined();
    const log = await worker.readLog(ended);
    expect(log).toContain('token: [redacted] at http://api.example.test');
    expect(log).toContain('setup has []');
    await worker.stop();
  });
});
