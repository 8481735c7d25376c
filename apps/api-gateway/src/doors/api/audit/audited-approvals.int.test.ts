import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const audit = useAudit();
const { ask, call } = audit;
const HOOK = 'http://127.0.0.1:9/hook';

let counter = 0;
const add = async (fields: object = {}) =>
  call('POST', '/approval-workflows', { name: `w${(counter += 1)}`, ...fields });
const addDefault = () => add({ is_default: true, allow_self_approval: true });
/** The id of a request that waits. */
async function hold(): Promise<string> {
  const rules = [{ id: 'all', description: 'd', action: 'require_approval' }];
  await call('POST', '/policies/apply', { version: '1', rules });
  await addDefault();
  counter += 1;
  const { approval_request_id: id } = await call('POST', '/agents/permission-check', {
    tool_name: 'deploy',
    arguments: counter,
  });
  return id as string;
}

/** What is recorded of workflows (APR-1) and of decisions (APR-8): never a secret, never an argument. */
const APPROVALS: AuditedTable = [
  [
    'a workflow is made',
    async () => ({
      request: ask('POST', '/approval-workflows', {
        name: 'dba',
        approval_config: { webhook_url: HOOK, webhook_secret: 'a canary that is long enough' },
      }),
      answers: 201,
      row: ({ id }) =>
        did('create', 'approval_workflow', id, {
          name: 'dba',
          approval_config: { webhook_url: HOOK, webhook_secret_changed: true },
        }),
    }),
  ],
  [
    'a workflow is changed',
    async () => {
      const { id } = await add();
      return {
        request: ask('PATCH', `/approval-workflows/${id}`, { quorum: 2 }),
        answers: 200,
        row: () => did('update', 'approval_workflow', id, { quorum: 2 }),
      };
    },
  ],
  [
    'a workflow is deleted',
    async () => {
      const { id, name } = await add();
      return {
        request: ask('DELETE', `/approval-workflows/${id}`),
        answers: 204,
        row: () => did('delete', 'approval_workflow', id, { name }),
      };
    },
  ],
  [
    'the secret of its receivers is replaced',
    async () => {
      const { id } = await add({ channel_configs: [{ kind: 'webhook', url: HOOK }] });
      return {
        request: ask('POST', `/approval-workflows/${id}/webhook-secret/rotate`),
        answers: 200,
        row: () => did('rotate_secret', 'approval_workflow', id, { overlap_seconds: 0 }),
      };
    },
  ],
  [
    'everything is approved for a while',
    async () => {
      const { id } = await add();
      return {
        request: ask('POST', `/approval-workflows/${id}/bypass`, { minutes: 5, reason: 'Incident 42' }),
        answers: 200,
        row: () => did('bypass', 'approval_workflow', id, { minutes: 5, reason: 'Incident 42' }),
      };
    },
  ],
  [
    'that ends',
    async () => {
      const { id } = await add();
      return {
        request: ask('DELETE', `/approval-workflows/${id}/bypass`),
        answers: 204,
        row: () => did('end_bypass', 'approval_workflow', id),
      };
    },
  ],
  [
    'a call is approved',
    async () => {
      const id = await hold();
      return {
        request: ask('POST', `/approval-requests/${id}/decide`, { decision: 'approve', comment: 'Go.' }),
        answers: 200,
        row: () => did('approve', 'approval_request', id, { status: 'approved' }),
      };
    },
  ],
  [
    'a call is declined',
    async () => {
      const id = await hold();
      return {
        request: ask('POST', `/approval-requests/${id}/decide`, { decision: 'decline' }),
        answers: 200,
        row: () => did('decline', 'approval_request', id, { status: 'declined' }),
      };
    },
  ],
  [
    'a request is withdrawn',
    async () => {
      const id = await hold();
      return {
        request: ask('POST', `/approval-requests/${id}/cancel`),
        answers: 200,
        row: () => did('cancel', 'approval_request', id),
      };
    },
  ],
];

describe('approvals (APR-13)', () => audit.describeTable('approvals', APPROVALS));
