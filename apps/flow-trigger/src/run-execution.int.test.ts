import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { transact } from '@steward/database';
import { createSecretBox } from '@steward/runtime';
import { stopExecution } from '@steward/slice-flows';
import { authenticateCredential, createTokenSigner } from '@steward/slice-gateway';
import { createEndpoint } from '@steward/slice-webhooks';
import { eventually } from '@steward/testing';
import { startTestWorker, type TestWorker } from './testing/start-worker.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const PATIENCE_MS = 40_000;

describe('a run', () => {
  let worker: TestWorker;
  let outside: string;
  beforeAll(async () => {
    worker = await startTestWorker({ FLOW_LEASE_SECONDS: '3', FLOW_MAX_LOG_BYTES: '20000' });
    outside = mkdtempSync(resolve(tmpdir(), 'steward-outside-'));
  });
  afterAll(async () => {
    await worker.stop();
    rmSync(outside, { recursive: true, force: true });
  }, PATIENCE_MS);

  it(
    'hands the prompt over by file and standard input, seeds the files and reads the result',
    async () => {
      const flow = await worker.createFlow(
        'cat > from-stdin.txt; cmp from-stdin.txt "$STEWARD_PROMPT_FILE"; echo "file says: $(cat docs/a.txt)"; echo "{\\"execution\\":\\"$STEWARD_EXECUTION_ID\\"}" > result.json',
      );
      const execution = await worker.trigger(flow, {
        subject: 'the task',
        workspace_files: [{ path: 'docs/a.txt', content_base64: base64('hello') }],
      });
      const ended = await worker.waitForEnd(execution.id);
      expect([ended.status, ended.failure_category, ended.error_message]).toEqual(['SUCCEEDED', null, null]);
      expect(ended.resolved_input_prompt).toBe('Work on the task');
      expect(ended.result).toEqual({ execution: execution.id });
      expect(await worker.readLog(ended)).toContain('file says: hello');
    },
    PATIENCE_MS,
  );

  it(
    'gives the agent a clean environment: nothing of the worker’s secrets',
    async () => {
      const ended = await worker.waitForEnd(
        (await worker.trigger(await worker.createFlow('env | cut -d= -f1 | sort'))).id,
      );
      const log = await worker.readLog(ended);
      expect(log).toContain('STEWARD_WORKSPACE');
      for (const name of ['DATABASE_URL', 'NATS_URL', 'SECRET_KEY']) expect(log).not.toContain(name);
    },
    PATIENCE_MS,
  );

  it(
    'leaves no workspace behind',
    async () => {
      const ended = await worker.waitForEnd((await worker.trigger(await worker.createFlow('echo x > y'))).id);
      await eventually(() => !existsSync(resolve(worker.workDirectory, ended.id)));
    },
    PATIENCE_MS,
  );

  it.each([
    ['an agent that fails', 'exit 3', 'agent_error', 'exit code 3'],
    ['an agent that is killed', 'kill -9 $$', 'agent_error', 'SIGKILL'],
  ])(
    '%s ends FAILED',
    async (_what, command, category, reason) => {
      const ended = await worker.waitForEnd((await worker.trigger(await worker.createFlow(command))).id);
      expect([ended.status, ended.failure_category]).toEqual(['FAILED', category]);
      expect(ended.error_message).toContain(reason);
    },
    PATIENCE_MS,
  );

  it(
    'a failing setup command ends it before the agent starts',
    async () => {
      const flow = await worker.createFlow('echo agent ran', { setup_commands: ['echo preparing', 'exit 7'] });
      const ended = await worker.waitForEnd((await worker.trigger(flow)).id);
      expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'setup_failed']);
      const log = await worker.readLog(ended);
      expect(log).toContain('preparing');
      expect(log).not.toContain('agent ran');
    },
    PATIENCE_MS,
  );

  it(
    'a missing placeholder renders empty and is named in the log',
    async () => {
      const flow = await worker.createFlow('true', { prompt_template: 'a{{trigger_event.payload.nothing.here}}b' });
      const ended = await worker.waitForEnd((await worker.trigger(flow)).id);
      expect(ended.resolved_input_prompt).toBe('ab');
      expect(await worker.readLog(ended)).toContain('trigger_event.payload.nothing.here');
    },
    PATIENCE_MS,
  );

  it(
    'a declaration that came past the trigger routes fails with the same message before anything runs',
    async () => {
      const flow = await worker.createFlow('echo agent ran');
      const execution = await worker.trigger(flow, {
        workspace_files: [{ path: '../../etc/passwd', content_base64: base64('x') }],
      });
      const ended = await worker.waitForEnd(execution.id);
      expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'workspace_rejected']);
      expect(ended.error_message).toContain('traverses upwards');
      expect(await worker.readLog(ended)).not.toContain('agent ran');
    },
    PATIENCE_MS,
  );

  it(
    'a stop ends the agent and everything it started',
    async () => {
      const pidFile = resolve(outside, 'pids');
      const flow = await worker.createFlow(
        `sleep 300 & echo $! >> ${pidFile}; sh -c 'sleep 301 & echo $! >> ${pidFile}; wait' & echo started; wait`,
      );
      const execution = await worker.trigger(flow);
      const pids = await eventually(() => {
        const found = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim().split('\n').map(Number) : [];
        return found.length === 2 ? found : undefined;
      });
      const input = { accountId: worker.accountId, executionId: execution.id, now: new Date() };
      await transact({ db: worker.database.db, broker: { publishHint: () => undefined } }, (trx, hints) =>
        stopExecution(trx, hints, input, { indexEnabled: true, captureContent: true, maxPendingPerAccount: 10 }),
      );
      const ended = await worker.waitForEnd(execution.id);
      expect([ended.status, ended.failure_category]).toEqual(['STOPPED', 'cancelled']);
      for (const pid of pids) await eventually(() => !isAlive(pid));
      rmSync(pidFile);
    },
    PATIENCE_MS,
  );

  it(
    'an execution whose message was lost is found and run',
    async () => {
      const execution = await worker.trigger(await worker.createFlow('true'), {}, { announce: false });
      expect((await worker.waitForEnd(execution.id)).status).toBe('SUCCEEDED');
    },
    PATIENCE_MS,
  );

  it(
    'an execution whose worker is gone ends FAILED with runner_error and is not run again',
    async () => {
      const marker = resolve(outside, 'marker');
      const execution = await worker.trigger(await worker.createFlow(`echo ran >> ${marker}`), {}, { announce: false });
      // As a worker leaves it that was killed in the middle: claimed, its lease run out, nothing said.
      await sql`
      update flows.execution set status = 'RUNNING', lease_token = gen_random_uuid(), lease_until = now() - interval '1 second',
        worker_id = 'gone', started_at = now() where id = ${execution.id}
    `.execute(worker.database.db);
      const ended = await worker.waitForEnd(execution.id);
      expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'runner_error']);
      expect(existsSync(marker)).toBe(false);
    },
    PATIENCE_MS,
  );

  it(
    'two workers never run one execution twice',
    async () => {
      const second = await worker.startWorker();
      const marker = resolve(outside, 'runs');
      const flow = await worker.createFlow(`echo "$STEWARD_EXECUTION_ID" >> ${marker}`);
      const executions = await Promise.all(Array.from({ length: 12 }, () => worker.trigger(flow)));
      for (const execution of executions) expect((await worker.waitForEnd(execution.id)).status).toBe('SUCCEEDED');
      const runs = readFileSync(marker, 'utf8').trim().split('\n').sort();
      expect(runs).toEqual(executions.map((execution) => execution.id).sort());
      expect(await second.stop()).toBe(true);
      rmSync(marker);
    },
    PATIENCE_MS,
  );

  it(
    'output without end is capped, says so, and stops neither the run nor the last word on it',
    async () => {
      const flow = await worker.createFlow('yes "a line of output" | head -c 9000000; echo never logged');
      const ended = await worker.waitForEnd((await worker.trigger(flow)).id);
      expect(ended.status).toBe('SUCCEEDED');
      const log = await worker.readLog(ended);
      expect(log.length).toBeLessThan(21_000);
      expect(log).toContain('[log capped by Steward after 20000 bytes]');
      expect(log).not.toContain('never logged');
      expect(log).toContain('execution SUCCEEDED');
    },
    PATIENCE_MS,
  );
});

describe('evidence of a run', () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await startTestWorker();
    const box = createSecretBox('a-secret-key-for-tests-only-0123456789', 'webhook-endpoint');
    // An event is written when somebody wants it.
    await transact({ db: worker.database.db, broker: { publishHint: () => undefined } }, (trx) =>
      createEndpoint(
        trx,
        { accountId: worker.accountId, url: 'https://receiver.example.test/', description: '', eventTypes: [] },
        box,
      ),
    );
  });
  afterAll(() => worker.stop(), PATIENCE_MS);

  const readReceipt = async (execution: { id: string }) => {
    const { rows } = await sql<{ body: Buffer }>`
      select body from webhooks.event where type = 'flow.execution.finished'
        and convert_from(body, 'UTF8') like ${`%${execution.id}%`}
    `.execute(worker.database.db);
    return (JSON.parse(rows[0]?.body.toString('utf8') ?? '{}') as { data: { evidence_receipt?: unknown } }).data
      .evidence_receipt;
  };
  const run = async (command: string, paths: string[]) => {
    const flow = await worker.createFlow(command, { evidence: { enabled: true, paths } });
    return worker.waitForEnd((await worker.trigger(flow)).id);
  };

  it.each([
    ['succeeded', 'SUCCEEDED', 'mkdir out; echo report > out/report.txt'],
    ['failed', 'FAILED', 'mkdir out; echo report > out/report.txt; exit 1'],
  ])(
    'that %s is kept, and its receipt stands on the execution and in the event',
    async (_how, status, command) => {
      const ended = await run(command, ['out', 'missing.txt']);
      const receipt = ended.evidence_receipt as { artifact_id: string; sha256: string };
      expect([ended.status, receipt]).toEqual([status, expect.objectContaining({ status: 'available' })]);
      expect(await readReceipt(ended)).toEqual(receipt);
      const archive = readFileSync(
        resolve(worker.evidenceDirectory, worker.accountId, `${receipt.artifact_id}.tar.gz`),
      );
      expect(createHash('sha256').update(archive).digest('hex')).toBe(receipt.sha256);
      expect(await worker.readLog(ended)).toContain('left out "missing.txt": missing');
    },
    PATIENCE_MS,
  );

  it(
    'that left none has no receipt, neither here nor in the event',
    async () => {
      const ended = await run('true', ['out']);
      expect([ended.status, ended.evidence_receipt]).toEqual(['SUCCEEDED', null]);
      expect(await readReceipt(ended)).toBeUndefined();
      expect(await worker.readLog(ended)).toContain('no evidence was captured');
    },
    PATIENCE_MS,
  );
});

describe('the places of an account', () => {
  it(
    'bound what it runs at once over all workers; what waits starts as soon as one is free, and other accounts pass',
    async () => {
      const worker = await startTestWorker({
        FLOW_ACCOUNT_CONCURRENCY: '2',
        FLOW_CONCURRENCY: '4',
        FLOW_RECONCILE_SECONDS: '600',
      });
      const second = await worker.startWorker();
      const folder = mkdtempSync(resolve(tmpdir(), 'steward-places-'));
      // Each run notes how many are running while it does.
      const flow = await worker.createFlow(
        `touch ${folder}/run-$STEWARD_EXECUTION_ID; ls ${folder} | grep -c run- >> ${folder}/seen; sleep 0.3; rm ${folder}/run-$STEWARD_EXECUTION_ID`,
      );
      const executions = await Promise.all(Array.from({ length: 9 }, () => worker.trigger(flow)));
      for (const execution of executions) expect((await worker.waitForEnd(execution.id)).status).toBe('SUCCEEDED');
      const seen = readFileSync(`${folder}/seen`, 'utf8').trim().split('\n').map(Number);
      expect(seen).toHaveLength(9);
      expect(Math.max(...seen)).toBe(2);
      await second.stop();
      await worker.stop();
      rmSync(folder, { recursive: true });
    },
    PATIENCE_MS,
  );
});

describe('the token of an agent', () => {
  it(
    'acts for its account and its session while the run lasts, and is shown in no log',
    async () => {
      const worker = await startTestWorker({ FLOW_AGENT_API_URL: 'http://api.example.test' });
      const folder = mkdtempSync(resolve(tmpdir(), 'steward-token-'));
      const flow = await worker.createFlow(
        `echo "token: $STEWARD_TOKEN at $STEWARD_API_URL"; printf %s "$STEWARD_TOKEN" > ${folder}/token; while ! [ -e ${folder}/go ]; do sleep 0.05; done`,
        { setup_commands: ['echo "setup has [$STEWARD_TOKEN]"'], timeout_seconds: 600 },
      );
      const { id } = await worker.trigger(flow);
      const token = await eventually(() => existsSync(`${folder}/token`) && readFileSync(`${folder}/token`, 'utf8'));
      const signer = createTokenSigner('a-secret-key-for-tests-only-0123456789');
      const authenticate = (now: Date) =>
        authenticateCredential({ db: worker.database.db, signer, edition: 'oss', now: () => now }, token);
      const running = await worker.find(id);
      expect(await authenticate(new Date())).toMatchObject({
        accountId: worker.accountId,
        runtimeSessionId: running.runtime_session_id,
        permissions: new Set(['view_runtime_sessions', 'manage_runtime_sessions', 'view_flows']),
      });
      expect(await authenticate(new Date(Date.now() + 601_000))).toBeUndefined();
      writeFileSync(`${folder}/go`, '');
      const ended = await worker.waitForEnd(id);
      expect(ended.status).toBe('SUCCEEDED');
      expect(await authenticate(new Date())).toBeUndefined();
      const log = await worker.readLog(ended);
      expect(log).toContain('token: [redacted] at http://api.example.test');
      expect(log).toContain('setup has []');
      await worker.stop();
      rmSync(folder, { recursive: true });
    },
    PATIENCE_MS,
  );
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
