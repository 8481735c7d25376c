import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { systemClock } from '@steward/async';
import { connectBroker, type Broker } from '@steward/broker';
import { beginTrace, createSecretBox, deriveKey, KEY_PURPOSES, newId } from '@steward/crypto';
import { APP_ROLES, transact, type Database } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { createLogger, createMetrics } from '@steward/process';
import {
  acceptTriggers,
  buildTrigger,
  createFlow,
  findExecution,
  type ExecutionRow,
  type FlowFields,
  type FlowRow,
  FLOW_DEFAULTS,
} from '@steward/flows';
import { listSessionTimeline } from '@steward/sessions';
import { createTestDatabase, eventually, startTestBroker, type TestBroker, type TestDatabase } from '@steward/testing';
import { buildApp } from '../app.ts';

export interface TestWorker {
  readonly database: Database;
  readonly accountId: string;
  readonly workDirectory: string;
  readonly evidenceDirectory: string;
  /** Connection URL with the worker's address and password. */
  readonly databaseUrl: string;
  /** Creates a flow whose agent is this shell command, by default of the main account. */
  createFlow(command: string, fields?: Partial<FlowFields>, owner?: string): Promise<FlowRow>;
  /** Accepts a trigger as the gateway does; without `announce`, no message is published. */
  trigger(
    flow: FlowRow,
    payload?: Record<string, unknown>,
    options?: { readonly announce?: boolean },
  ): Promise<ExecutionRow>;
  find(executionId: string): Promise<ExecutionRow>;
  waitForEnd(executionId: string): Promise<ExecutionRow>;
  readLog(execution: ExecutionRow): Promise<string>;
  /** Starts another worker on the same servers. */
  startWorker(environment?: Readonly<Record<string, string>>): Promise<{ stop(): Promise<boolean> }>;
  /** Stops the first worker and starts one with different settings instead. */
  replaceWorker(environment: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

const SECRET_KEY = 'a-secret-key-for-tests-only-0123456789';
const OPTIONS = { indexEnabled: true, captureContent: true, maxPendingPerAccount: 10_000 };

/** Starts a worker as its process builds it, on a cloned database under its own role. */
export async function startTestWorker(environment: Readonly<Record<string, string>> = {}): Promise<TestWorker> {
  const testDatabase: TestDatabase = await createTestDatabase();
  const testBroker: TestBroker = await startTestBroker();
  const workDirectory = mkdtempSync(resolve(tmpdir(), 'steward-flow-test-'));
  const evidenceDirectory = mkdtempSync(resolve(tmpdir(), 'steward-evidence-test-'));
  const logger = createLogger({ service: 'flow-trigger-test', level: 'error', pretty: false });
  const database = connectTestDatabase(testDatabase.url, { poolSize: 5, logger });
  const broker: Broker = await connectBroker({
    url: testBroker.url,
    name: 'test',
    logger,
    metrics: createMetrics('test'),
  });
  await broker.ensureStreams();
  const accountId = newId();
  const silent = { publishHint: () => undefined, publishHints: () => undefined };
  const startWorker = async (more: Readonly<Record<string, string>> = {}) => {
    const app = await buildApp({
      DATABASE_URL: testDatabase.urlForRole(APP_ROLES.flowTrigger),
      NATS_URL: testBroker.urlFor('flow-trigger'),
      FLOW_SECRET_KEY: deriveKey(SECRET_KEY, KEY_PURPOSES.flowAgent),
      HEALTH_PORT: '0',
      HEALTH_HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      FLOW_WORK_DIR: workDirectory,
      EVIDENCE_DIR: evidenceDirectory,
      FLOW_RECONCILE_SECONDS: '1',
      // Tests of the grace period set a different value.
      FLOW_STOP_GRACE_SECONDS: '3',
      PATH: process.env.PATH,
      ...environment,
      ...more,
    });
    await app.lifecycle.start();
    return { stop: () => app.lifecycle.stop() };
  };
  let worker = await startWorker();
  const owners = new Map<string, string>();
  const find = async (executionId: string): Promise<ExecutionRow> => {
    const execution = await findExecution(database.db, owners.get(executionId) ?? accountId, executionId);
    if (execution === undefined) throw new Error('no such execution');
    return execution;
  };
  return {
    database,
    accountId,
    workDirectory,
    evidenceDirectory,
    databaseUrl: testDatabase.urlForRole(APP_ROLES.flowTrigger),
    find,
    startWorker,
    async replaceWorker(more) {
      await worker.stop();
      worker = await startWorker(more);
    },
    async createFlow(command, fields = {}, owner = accountId) {
      const all: FlowFields = {
        ...FLOW_DEFAULTS,
        name: `flow ${newId()}`,
        prompt_template: 'Work on {{trigger_event.payload.subject}}',
        agent_type: 'command',
        agent_config: { command },
        // Long, so that a busy machine does not end a run.
        timeout_seconds: 900,
        ...fields,
      };
      const boxes = {
        webhook: createSecretBox(SECRET_KEY, KEY_PURPOSES.flowWebhook),
        agent: createSecretBox(SECRET_KEY, KEY_PURPOSES.flowAgent),
      };
      const outcome = await transact({ db: database.db, broker: silent }, (trx) =>
        createFlow(trx, { accountId: owner, fields: all }, boxes),
      );
      if (outcome.kind !== 'saved') throw new Error(outcome.kind);
      return outcome.flow;
    },
    async trigger(flow, payload = { subject: 'this' }, { announce = true } = {}) {
      const receivedAt = systemClock.now();
      const build = (said: Record<string, unknown>) =>
        buildTrigger({
          flow,
          type: 'manual',
          secretHash: null,
          audit: null,
          traceparent: beginTrace(),
          payload: said,
          body: Buffer.alloc(0),
          key: undefined,
          receivedAt,
        });
      const [built, bare] = [build(payload), build({})];
      if (bare.kind !== 'built') throw new Error(bare.kind);
      // Stores files that the API would reject.
      const head = { source: 'manual', type: 'manual', received_at: receivedAt.toISOString() };
      const past = { ...bare.trigger, details: JSON.stringify({ ...head, payload }) };
      const publisher = announce ? broker : silent;
      const deps = { db: database.db, broker: publisher, clock: systemClock, options: OPTIONS };
      const [outcome] = await acceptTriggers(deps, [built.kind === 'built' ? built.trigger : past]);
      if (outcome?.kind !== 'accepted') throw new Error(outcome?.kind);
      owners.set(outcome.execution.id, flow.account_id);
      return find(outcome.execution.id);
    },
    waitForEnd: (executionId) =>
      eventually(async () => {
        const execution = await find(executionId);
        return execution.finished_at === null ? undefined : execution;
      }),
    async readLog(execution) {
      const { account_id: owner, runtime_session_id: sessionId } = execution;
      if (sessionId === null) return '';
      const page = await listSessionTimeline(database.db, {
        accountId: owner,
        sessionId,
        kind: 'flow_log',
        limit: 200,
      });
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
