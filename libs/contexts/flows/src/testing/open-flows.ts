import { APP_ROLES, transact, type AnyTransaction } from '@steward/database';
import { openClone } from '@steward/database/testing';
import type { HintSink } from '@steward/contracts';
import { beginTrace, createSecretBox, KEY_PURPOSES, newId } from '@steward/crypto';
import { createFakeClock } from '@steward/testing';
import { sql } from 'kysely';
import { claimExecution } from '../executions/operations/claim-execution.ts';
import { FLOW_DEFAULTS, type FlowFields } from '../flows/flow-fields.ts';
import { createFlow } from '../flows/operations/save-flow.ts';
import { hashWebhookSecret } from '../flows/rules/webhook-secret.ts';
import type { ExecutionRow, FlowRow } from '../schema.ts';
import { acceptTriggers } from '../triggers/operations/accept-triggers.ts';
import { buildTrigger, type TriggerInput } from '../triggers/rules/build-trigger.ts';
import type { Trigger, TriggerOutcome } from '../triggers/trigger.ts';

const SECRET_KEY = 'a-secret-key-for-tests-only-0123456789';
const FIELDS: FlowFields = {
  ...FLOW_DEFAULTS,
  name: 'a flow',
  trigger: 'webhook',
  prompt_template: 'x',
  agent_type: 'command',
  agent_config: { command: 'true' },
};

export type OpenFlows = Awaited<ReturnType<typeof openFlows>>;

/** Opens a cloned database with the roles of the two apps; returns the steps that most tests need. */
export async function openFlows() {
  const clone = await openClone({ poolSize: 12 });
  const { admin, logger, close } = clone;
  const gateway = clone.connectAs(APP_ROLES.apiGateway);
  const worker = clone.connectAs(APP_ROLES.flowTrigger);
  const boxes = {
    webhook: createSecretBox(SECRET_KEY, KEY_PURPOSES.flowWebhook),
    agent: createSecretBox(SECRET_KEY, KEY_PURPOSES.flowAgent),
  };
  const options = { indexEnabled: true, captureContent: true, maxPendingPerAccount: 10_000 };
  const clock = createFakeClock(new Date());
  /** Ids of the executions for which hints were published. */
  const announced: string[] = [];
  /** All published hints. */
  const hints: { readonly name: string; readonly payload: Readonly<Record<string, unknown>> }[] = [];
  const note = (name: string, payload: object): void => {
    hints.push({ name, payload: payload as Readonly<Record<string, unknown>> });
    if (name === 'trigger-accepted') announced.push((payload as { execution_id: string }).execution_id);
  };
  const broker = {
    publishHint: (name: string, payload: object) => note(name, payload),
    publishHints: (name: string, payloads: readonly object[]) => payloads.forEach((payload) => note(name, payload)),
  };
  const acceptDeps = { db: gateway.db, broker, clock, options };

  const write = <T>(work: (trx: AnyTransaction, hints: HintSink) => Promise<T>): Promise<T> =>
    transact({ db: gateway.db, broker, traceparent: beginTrace() }, work);
  const run = <T>(work: (trx: AnyTransaction, hints: HintSink) => Promise<T>): Promise<T> =>
    transact({ db: worker.db, broker, traceparent: beginTrace() }, work);

  function build(flow: FlowRow, payload: object = {}, more: Partial<TriggerInput> = {}): Trigger {
    const outcome = buildTrigger({
      flow,
      type: 'webhook',
      secretHash: flow.webhook_secret_hash,
      audit: { actor: { kind: 'anonymous', id: null }, source: 'webhook', requestId: 'request-1' },
      traceparent: beginTrace(),
      payload: payload as TriggerInput['payload'],
      body: Buffer.from(JSON.stringify(payload)),
      key: undefined,
      receivedAt: clock.now(),
      ...more,
    });
    if (outcome.kind !== 'built') throw new Error(outcome.message);
    return outcome.trigger;
  }
  async function listExecutions(flowId: string): Promise<ExecutionRow[]> {
    const found = await sql<ExecutionRow>`select * from flows.execution where flow_id = ${flowId} order by id`.execute(
      admin.db,
    );
    return found.rows;
  }

  return {
    gateway: gateway.db,
    worker: worker.db,
    /** Connection of the superuser, who is not limited by grants. */
    admin: admin.db,
    adminUrl: clone.url,
    /** Runs plain SQL as superuser. */
    async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      return (await admin.pool.query(text, [...values])).rows as Row[];
    },
    boxes,
    options,
    clock,
    announced,
    hints,
    broker,
    logger,
    write,
    run,
    build,
    listExecutions,
    async addFlow(fields: Partial<FlowFields> = {}, accountId: string = newId()): Promise<FlowRow> {
      const input = { accountId, fields: { ...FIELDS, name: newId(), ...fields } };
      const outcome = await write((trx) => createFlow(trx, input, boxes));
      if (outcome.kind !== 'saved') throw new Error(outcome.kind);
      return outcome.flow;
    },
    accept: (triggers: readonly Trigger[], how = { waits: false }): Promise<TriggerOutcome[]> =>
      acceptTriggers(acceptDeps, triggers, how),
    /** Starts an execution with a trigger that is accepted. */
    async start(flow: FlowRow, payload: object = {}): Promise<ExecutionRow> {
      const [outcome] = await acceptTriggers(acceptDeps, [build(flow, payload)]);
      if (outcome?.kind !== 'accepted') throw new Error(outcome?.kind);
      const rows = await listExecutions(flow.id);
      return rows.find(({ id }) => id === outcome.execution.id) as ExecutionRow;
    },
    /** Returns the next execution that a worker claims, and its lease token. */
    async claim(more: Partial<Parameters<typeof claimExecution>[2]> = {}) {
      const token = newId();
      const request = {
        token,
        leaseSeconds: 30,
        workerId: 'worker-1',
        accountLimit: 10,
        places: 10,
        servedLast: undefined,
        avoided: [],
        now: clock.now(),
        ...more,
      };
      const execution = await run((trx, hints) => claimExecution(trx, hints, request, options));
      return execution === undefined ? undefined : { execution, lease: { executionId: execution.id, token } };
    },
    close,
  };
}

export const wrongSecret = hashWebhookSecret('flw_wrong');
