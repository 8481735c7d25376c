import { createSecretBox } from '@steward/crypto';
import { openMail } from '@steward/webhooks';
import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';
import { SECRET_KEY } from '../../../testing/start-gateway.ts';

const audit = useAudit({ MAIL_FROM: 'steward@example.test' });
const { ask, call } = audit;
const HOOK = 'http://127.0.0.1:9/hook';

let counter = 0;
const add = async (fields: object = {}) =>
  call('POST', '/approval-workflows', { name: `w${(counter += 1)}`, ...fields });
const addDefault = () => add({ is_default: true, allow_self_approval: true });
/** Creates a pending request; returns its id. */
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

/** Returns the recipient of the queued mail, and the token of its link. */
async function readMail(endpointId: string, body: Buffer): Promise<{ token: string; userId: string }> {
  const { to, text } = openMail(body, endpointId, createSecretBox(SECRET_KEY, 'webhook-endpoint'));
  const { rows } = await audit
    .admin()
    .query<{ id: string }>('select id from gateway.user_account where email = $1', [to]);
  return { token: /\/approval\/(\S+)/.exec(text)?.[1] ?? '', userId: rows[0]?.id ?? '' };
}

/** Audit entries of workflows (APR-1) and of decisions (APR-8), which never contain a secret or an argument. */
const APPROVALS: AuditedTable = [
  [
    'a workflow is created',
    async () => ({
      request: ask('POST', '/approval-workflows', {
        name: 'dba',
        approval_config: { webhook_url: HOOK, webhook_secret: 'a canary that is long enough' },
      }),
      answers: 201,
      row: ({ id }) =>
        did('create', 'approval_workflow', id, {
          name: 'dba',
          approval_config: { webhook_url: 'http://127.0.0.1:9/[hidden]', webhook_secret_changed: true },
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
    'a bypass is activated',
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
    'a bypass ends',
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
    'a request is cancelled',
    async () => {
      const id = await hold();
      return {
        request: ask('POST', `/approval-requests/${id}/cancel`),
        answers: 200,
        row: () => did('cancel', 'approval_request', id),
      };
    },
  ],
  [
    'a call is declined with the link of an e-mail',
    async () => {
      counter += 1;
      const password = 'a long enough password';
      const username = `mailed-${counter}`;
      await call('POST', '/users', { username, email: `${username}@example.test`, role: 'viewer', password });
      const id = await hold();
      const { rows } = await audit.admin().query<{ endpoint_id: string; body: Buffer }>(
        `select d.endpoint_id, v.body from webhooks.delivery d join webhooks.event v on v.id = d.event_id
         where d.event_type = 'approval.mail' order by d.created_at desc limit 1`,
      );
      const { token, userId } = await readMail(rows[0]?.endpoint_id ?? '', rows[0]?.body ?? Buffer.alloc(0));
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return {
        request: ['POST', `/approval/${token}`, { body: 'decision=decline', headers }],
        answers: 200,
        row: () => ({
          ...did('decline', 'approval_request', id, { status: 'declined', via: 'email' }),
          actor: ['user', userId],
        }),
      };
    },
  ],
];

describe('approvals (APR-13)', () => audit.describeTable('approvals', APPROVALS));
