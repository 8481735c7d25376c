import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { connectBroker, type Broker } from '@steward/broker';
import { APP_ROLES, createDatabase, transact, type Database } from '@steward/database';
import { createLogger, createMetrics, createSecretBox, newId } from '@steward/runtime';
import {
  acceptTrigger,
  createFlow,
  findExecution,
  validateWorkspaceFiles,
  type ExecutionRow,
  type FlowFields,
  type FlowRow,
} from '@steward/slice-flows';
import { listSessionTimeline } from '@steward/slice-gateway';
import { createTestDatabase, eventually, startTestBroker, type TestBroker, type TestDatabase } from '@steward/testing';
import { buildApp } from '../app.ts';

export interface TestWorker {
  readonly database: Database;
  readonly accountId: string;
  readonly workDirectory: string;
  readonly evidenceDirectory: string;
  /** A flow whose agent is this shell command. */
  createFlow(command: string, fields?: Partial<FlowFields>): Promise<FlowRow>;
  /** Accepts a trigger as the gateway does; without `announce` its message is lost. */
  trigger(
    flow: FlowRow,
    payload?: Record<string, unknown>,
    options?: { readonly announce?: boolean },
  ): Promise<ExecutionRow>;
  find(executionId: string): Promise<ExecutionRow>;
  waitForEnd(executionId: string): Promise<ExecutionRow>;
  readLog(execution: ExecutionRow): Promise<string>;
  /** A further worker process, as it were, on the same servers. */
  startWorker(environment?: Readonly<Record<string, string>>): Promise<{ stop(): Promise<boolean> }>;
  /** Ends the first worker and starts one with other settings in its place. */
  replaceWorker(environment: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

const OPTIONS = { indexEnabled: true, captureContent: true, maxPendingPerAccount: 10_000 };

/** A worker as its process builds it, on a cloned database under its own role. */
export async function startTestWorker(environment: Readonly<Record<string, string>> = {}): Promise<TestWorker> {
  const testDatabase: TestDatabase = await createTestDatabase();
  const testBroker: TestBroker = await startTestBroker();
  const workDirectory = mkdtempSync(resolve(tmpdir(), 'steward-flow-test-'));
  const evidenceDirectory = mkdtempSync(resolve(tmpdir(), 'steward-evidence-test-'));
  const logger = createLogger({ service: 'flow-trigger-test', level: 'error', pretty: false });
  const database = createDatabase({ url: testDatabase.url, applicationName: 'test', poolSize: 5, logger });
  const broker: Broker = await connectBroker({
    url: testBroker.url,
    name: 'test',
    logger,
    metrics: createMetrics('test'),
  });
  await broker.ensureStreams();
  const accountId = newId();
  const silent = { publishHint: () => undefined };
  const startWorker = async (more: Readonly<Record<string, string>> = {}) => {
    const app = await buildApp({
      DATABASE_URL: testDatabase.urlForRole(APP_ROLES.flowTrigger),
      NATS_URL: testBroker.url,
      HEALTH_PORT: '0',
      HEALTH_HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      FLOW_WORK_DIR: workDirectory,
      EVIDENCE_DIR: evidenceDirectory,
      FLOW_RECONCILE_SECONDS: '1',
      PATH: process.env.PATH,
      ...environment,
      ...more,
    });
    await app.lifecycle.start();
    return { stop: () => app.lifecycle.stop() };
  };
  let worker = await startWorker();
  const find = async (executionId: string): Promise<ExecutionRow> => {
    const execution = await findExecution(database.db, accountId, executionId);
    if (execution === undefined) throw new Error('no such execution');
    return execution;
  };
  return {
    database,
    accountId,
    workDirectory,
    evidenceDirectory,
    find,
    startWorker,
    async replaceWorker(more) {
      await worker.stop();
      worker = await startWorker(more);
    },
    async createFlow(command, fields = {}) {
      const all: FlowFields = {
        name: `flow ${newId()}`,
        description: null,
        is_enabled: true,
        trigger: 'manual',
        prompt_template: 'Work on {{trigger_event.payload.subject}}',
        ai_model_id: null,
        agent_type: 'command',
        agent_config: { command },
        allowed_tools: [],
        webhook_config: null,
        git_clone_config: null,
        setup_commands: [],
        timeout_seconds: 60,
        evidence: null,
        ...fields,
      };
      const box = createSecretBox('a-secret-key-for-tests-only-0123456789', 'flow-webhook');
      const outcome = await transact({ db: database.db, broker: silent }, (trx) =>
        createFlow(trx, { accountId, fields: all }, box),
      );
      if (outcome.kind !== 'saved') throw new Error(outcome.kind);
      return outcome.flow;
    },
    async trigger(flow, payload = { subject: 'this' }, { announce = true } = {}) {
      const files = validateWorkspaceFiles(payload.workspace_files);
      const input = {
        flow,
        triggerType: 'manual' as const,
        payload,
        files: files.kind === 'valid' ? files.files : [],
        now: new Date(),
      };
      const outcome = await transact({ db: database.db, broker: announce ? broker : silent }, (trx, hints) =>
        acceptTrigger(trx, hints, input, OPTIONS),
      );
      if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
      return outcome.execution;
    },
    waitForEnd: (executionId) =>
      eventually(
        async () => {
          const execution = await find(executionId);
          return execution.finished_at === null ? undefined : execution;
        },
        { timeoutMs: 30_000 },
      ),
    async readLog(execution) {
      const { runtime_session_id: sessionId } = execution;
      if (sessionId === null) return '';
      const page = await listSessionTimeline(database.db, { accountId, sessionId, kind: 'flow_log', limit: 200 });
      return page.items.map((item) => String(item.content)).join('\n');
    },
    async stop() {
      await worker.stop();
      await broker.close();
      await database.close();
      await testBroker.stop();
      await testDatabase.drop();
      for (const folder of [workDirectory, evidenceDirectory]) rmSync(folder, { recursive: true, force: true });
    },
  };
}
