import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const audit = useAudit();
const { ask, call } = audit;

let counter = 0;
const addRole = async () => {
  const body = { name: `passing-${(counter += 1)}`, permissions: ['view_flows'] };
  return (await call('POST', '/roles', body)) as { id: string; name: string };
};

/** Audit entries of roles, keys and the kill switch (ACC-33, ACC-12). */
const ACCESS: AuditedTable = [
  [
    'a role is created',
    async () => ({
      request: ask('POST', '/roles', { name: `watchers-${(counter += 1)}`, permissions: ['view_flows'] }),
      answers: 201,
      row: ({ id, name }) => did('create', 'role', id, { name, permissions: ['view_flows'] }),
    }),
  ],
  [
    'a role is changed',
    async () => {
      const { id, name } = await addRole();
      return {
        request: ask('PATCH', `/roles/${id}`, { permissions: ['view_policies', 'view_flows'] }),
        answers: 200,
        row: () => did('update', 'role', id, { name, permissions: ['view_flows', 'view_policies'] }),
      };
    },
  ],
  [
    'a role is deleted',
    async () => {
      const { id, name } = await addRole();
      return { request: ask('DELETE', `/roles/${id}`), answers: 204, row: () => did('delete', 'role', id, { name }) };
    },
  ],
  [
    'an API key is made',
    async () => ({
      request: ask('POST', '/auth/api-keys', { name: 'ci', scopes: ['view_flows'] }),
      answers: 201,
      row: ({ id }) => did('create', 'api_key', id, { scopes: ['view_flows'], expires_at: null, limits: null }),
    }),
  ],
  [
    'an API key is made by a key',
    async () => {
      const { id: parent, key } = await call('POST', '/auth/api-keys', { name: 'parent', scopes: ['manage_api_keys'] });
      // The key is used beforehand, because its last use is recorded from time to time, whether or not the request
      // succeeds.
      await call('GET', '/users/me', undefined, key);
      return {
        request: ['POST', '/api/v1/auth/api-keys', { token: key, body: { name: 'child', scopes: [] } }],
        answers: 201,
        row: ({ id }) => ({
          ...did('create', 'api_key', id, { scopes: [], expires_at: null, limits: null }),
          actor: ['api_key', parent],
        }),
      };
    },
  ],
  [
    'an API key is renamed and limited',
    async () => {
      const { id } = await audit.createNarrowKey();
      const change = { name: 'ci', limits: { calls_per_day: 5 } };
      return {
        request: ask('PATCH', `/auth/api-keys/${id}`, change),
        answers: 200,
        row: () => did('update', 'api_key', id, change),
      };
    },
  ],
  [
    'an API key is revoked',
    async () => {
      const { id } = await audit.createNarrowKey();
      return {
        request: ask('DELETE', `/auth/api-keys/${id}`),
        answers: 204,
        row: () => did('delete', 'api_key', id, { revoked: 1 }),
      };
    },
  ],
  ...(['engage', 'release'] as const).map((action): AuditedTable[number] => [
    `the kill switch: ${action}`,
    async () => {
      const { account_id: accountId } = await call('GET', '/users/me');
      await call('PUT', '/account/kill-switch', { engaged: action === 'release' });
      return {
        request: ask('PUT', '/account/kill-switch', { engaged: action === 'engage', reason: 'why' }),
        answers: 200,
        row: () => did(action, 'kill_switch', accountId as string, { reason: 'why' }),
      };
    },
  ]),
];

audit.describeTable('access', ACCESS);
