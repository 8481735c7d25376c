import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { newId } from '@steward/crypto';
import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const evidence = mkdtempSync(resolve(tmpdir(), 'steward-evidence-'));
afterAll(() => rmSync(evidence, { recursive: true }));
const audit = useAudit({ EVIDENCE_DIR: evidence });
const { ask, call } = audit;

let counter = 0;
const createFlow = (fields: object = {}) =>
  call('POST', '/flows', {
    name: `flow ${(counter += 1)}`,
    prompt_template: 'x',
    agent_type: 'command',
    agent_config: { command: 'true' },
    ...fields,
  });
const startFlow = async () => {
  const { id } = await createFlow();
  const { execution_id } = await call('POST', `/flows/${id}/trigger`, {});
  return { flowId: id as string, executionId: execution_id as string };
};
const openSession = (): Promise<{ id: string }> =>
  call('POST', '/runtime-sessions', { session_source_type: 'ci', session_source_id: `run ${(counter += 1)}` });
/** Stores evidence as a worker does. */
async function storeEvidence(executionId: string): Promise<void> {
  const { accountId } = audit.owner();
  const artifactId = newId();
  const receipt = {
    status: 'available',
    transport: 'local',
    artifact_id: artifactId,
    sha256: '00',
    retention_hours: 24,
  };
  mkdirSync(resolve(evidence, accountId), { recursive: true });
  writeFileSync(resolve(evidence, accountId, `${artifactId}.tar.gz`), 'an archive');
  await audit
    .admin()
    .query(
      `update flows.execution set status = 'SUCCEEDED', finished_at = now(), evidence_receipt = $2 where id = $1`,
      [executionId, JSON.stringify(receipt)],
    );
}
const triggered = (flowId: string, executionId: string) =>
  did('trigger', 'flow', flowId, { execution_id: executionId, workspace_files: 0 });

/** Audit entries of flows, executions and sessions (ACC-33, ACC-35, FLOW-31). */
const WORK: AuditedTable = [
  [
    'a flow is created',
    async () => ({
      request: ask('POST', '/flows', {
        name: 'made',
        prompt_template: 'x',
        agent_type: 'command',
        agent_config: { command: 'x' },
      }),
      answers: 201,
      row: ({ id }) => did('create', 'flow', id, { name: 'made', trigger: 'manual' }),
    }),
  ],
  [
    'a flow is changed',
    async () => {
      const { id } = await createFlow();
      return {
        request: ask('PATCH', `/flows/${id}`, { description: 'new', is_enabled: false }),
        answers: 200,
        row: () => did('update', 'flow', id, { fields: ['description', 'is_enabled'] }),
      };
    },
  ],
  [
    'sessions are imported',
    () => {
      const id = `run ${(counter += 1)}`;
      const line = { session_source_id: id, type: 'message', role: 'user', content: 'hello', external_id: 'm1' };
      return Promise.resolve({
        request: ask('POST', '/runtime-sessions/import', line),
        answers: 200,
        row: () => did('import', 'runtime_session', null, { source_type: 'steward', first_source_id: id }),
      });
    },
  ],
  [
    'the secret of a flow is replaced',
    async () => {
      const { id } = await createFlow({ trigger: 'webhook' });
      return {
        request: ask('POST', `/flows/${id}/webhook-secret/rotate`),
        answers: 200,
        row: () => did('rotate_secret', 'flow', id),
      };
    },
  ],
  ...(['pause', 'resume'] as const).map((action): AuditedTable[number] => [
    `a schedule is meant to ${action}`,
    async () => {
      const { id } = await createFlow({ trigger: 'schedule', schedule_config: { cron: '0 6 * * *' } });
      if (action === 'resume') await call('POST', `/flows/${id}/schedule/pause`);
      const request = ask('POST', `/flows/${id}/schedule/${action}`);
      return { request, answers: 200, row: () => did(action, 'flow', id) };
    },
  ]),
  [
    'a flow is deleted',
    async () => {
      const { id } = await createFlow();
      return {
        request: ask('DELETE', `/flows/${id}`),
        answers: 204,
        row: () => did('delete', 'flow', id),
      };
    },
  ],
  ...(['create', 'update', 'delete'] as const).map((action): AuditedTable[number] => [
    `a named secret is meant to ${action}`,
    async () => {
      const name = `NAMED_${(counter += 1)}`;
      if (action !== 'create') await call('PUT', `/flow-secrets/${name}`, { value: 'the former value' });
      return {
        request:
          action === 'delete'
            ? ask('DELETE', `/flow-secrets/${name}`)
            : ask('PUT', `/flow-secrets/${name}`, { value: 'the value' }),
        answers: { create: 201, update: 200, delete: 204 }[action],
        row: () => did(action, 'flow_secret', null, { name }),
      };
    },
  ]),
  [
    'a flow is triggered manually',
    async () => {
      const { id } = await createFlow();
      return {
        request: ask('POST', `/flows/${id}/trigger`, { a: 1 }),
        answers: 202,
        row: ({ execution_id }) => triggered(id, execution_id),
      };
    },
  ],
  [
    'a flow is triggered by its webhook',
    async () => {
      const { id, webhook_config } = await createFlow({ trigger: 'webhook' });
      return {
        request: ['POST', `/webhooks/flows/${id}/${webhook_config.webhook_secret}`, { body: {} }],
        answers: 202,
        row: ({ execution_id }) => ({
          ...triggered(id, execution_id),
          actor: ['anonymous', null],
          source: 'webhook',
        }),
      };
    },
  ],
  [
    'an execution is stopped',
    async () => {
      const { executionId } = await startFlow();
      return {
        request: ask('POST', `/flows/executions/${executionId}/stop`),
        answers: 202,
        row: () => did('stop', 'flow_execution', executionId),
      };
    },
  ],
  [
    'an execution is retried',
    async () => {
      const { executionId } = await startFlow();
      await call('POST', `/flows/executions/${executionId}/stop`);
      return {
        request: ask('POST', `/flows/executions/${executionId}/retry`),
        answers: 202,
        row: ({ execution_id }) => did('retry', 'flow_execution', executionId, { execution_id }),
      };
    },
  ],
  [
    'a session is changed',
    async () => {
      const { id } = await openSession();
      return {
        request: ask('PATCH', `/runtime-sessions/${id}`, { title: 'new' }),
        answers: 200,
        row: () => did('update', 'runtime_session', id, { fields: ['title'] }),
      };
    },
  ],
  [
    'a session is ended',
    async () => {
      const { id } = await openSession();
      return {
        request: ask('POST', `/runtime-sessions/${id}/end`),
        answers: 200,
        row: () => did('end', 'runtime_session', id),
      };
    },
  ],
  [
    'a session is deleted',
    async () => {
      const { id } = await openSession();
      return {
        request: ask('DELETE', `/runtime-sessions/${id}`),
        answers: 204,
        row: () => did('delete', 'runtime_session', id),
      };
    },
  ],
  ...(['timeline', 'export'] as const).map((what): AuditedTable[number] => [
    `the ${what} of a session is read`,
    async () => {
      const { id } = await openSession();
      return {
        request: ask('GET', `/runtime-sessions/${id}/${what}`),
        answers: 200,
        row: () => did('read', 'runtime_session', id, { what }),
        // A read, like a search, succeeds even if its row cannot be stored.
        unlogged: 200,
      };
    },
  ]),
  [
    'the log of an execution is read',
    async () => {
      const { executionId } = await startFlow();
      return {
        request: ask('GET', `/flows/executions/${executionId}/logs`),
        answers: 200,
        row: () => did('read', 'flow_execution', executionId, { what: 'logs' }),
        unlogged: 200,
      };
    },
  ],
  [
    'the evidence of an execution is downloaded',
    async () => {
      const { executionId } = await startFlow();
      await storeEvidence(executionId);
      return {
        request: ask('GET', `/flows/executions/${executionId}/evidence`),
        answers: 200,
        row: () => did('read', 'flow_execution', executionId, { what: 'evidence' }),
        unlogged: 200,
      };
    },
  ],
  [
    'a deletion of sessions is requested',
    () =>
      Promise.resolve({
        request: ask('POST', '/runtime-sessions/deletions', { filters: { label: 'repo:gone' } }),
        answers: 202,
        row: ({ id }) => did('request', 'runtime_session_deletion', id, { filters: ['label'], dry_run: false }),
      }),
  ],
  [
    'a note is sent',
    async () => {
      const { id: runtime_session_id } = await openSession();
      return {
        request: ask('POST', '/operator-notes', { runtime_session_id, text: 'hello' }),
        answers: 201,
        row: ({ id }) => did('create', 'operator_note', id, { runtime_session_id }),
      };
    },
  ],
  [
    'a note is cancelled',
    async () => {
      const { id: runtime_session_id } = await openSession();
      const { id } = await call('POST', '/operator-notes', { runtime_session_id, text: 'hello' });
      return {
        request: ask('POST', `/operator-notes/${id}/cancel`),
        answers: 200,
        row: () => did('cancel', 'operator_note', id, { runtime_session_id }),
      };
    },
  ],
];

audit.describeTable('work', WORK);

describe('the audit log records nothing', () => {
  it('for changes without effect, such as ending an ended session or a finished execution', async () => {
    const { id } = await openSession();
    await call('POST', `/runtime-sessions/${id}/end`);
    await audit.expectNoRow({ request: ask('POST', `/runtime-sessions/${id}/end`), answers: 200 });
    const { executionId } = await startFlow();
    await call('POST', `/flows/executions/${executionId}/stop`);
    await audit.expectNoRow({ request: ask('POST', `/flows/executions/${executionId}/stop`), answers: 202 });
  });
});
