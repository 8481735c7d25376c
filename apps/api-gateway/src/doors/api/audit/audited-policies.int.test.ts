import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const audit = useAudit();
const { ask, call } = audit;

const SINCE = '2026-10-01T00:00:00.000Z';
const UNTIL = '2026-11-01T00:00:00.000Z';
let documents = 0;
const nextDocument = () => ({ version: '1', metadata: { name: `document ${(documents += 1)}` } });
const apply = async (): Promise<number> => (await call('POST', '/policies/apply', nextDocument())).version;

let servers = 0;
const nextServer = () => ({ name: `server-${(servers += 1)}`, url: 'https://tools.example.com/mcp' });

/** What is recorded of policies (POL-17, ACC-33), and of tool servers (MCP-1), never their headers. */
const TABLE: AuditedTable = [
  [
    'a policy is applied',
    async () => {
      const version = await apply();
      return {
        request: ask('POST', '/policies/apply', nextDocument()),
        answers: 201,
        row: () => did('apply', 'policy', null, { version: version + 1, rules: 0 }),
      };
    },
  ],
  [
    'an old version is put into force again',
    async () => {
      const version = await apply();
      return {
        request: ask('POST', `/policies/versions/${version}/rollback`),
        answers: 201,
        row: () => did('rollback', 'policy', null, { version: version + 1, rolled_back_to: version }),
      };
    },
  ],
  [
    'a policy is tried on recorded calls',
    () =>
      Promise.resolve({
        request: ask('POST', '/policies/backtest', { since: SINCE, until: UNTIL, limit: 10 }),
        answers: 202,
        row: ({ id }) => did('backtest', 'policy', id, { since: SINCE, until: UNTIL, limit: 10 }),
      }),
  ],
  [
    'a tool server is added',
    () => {
      const fields = nextServer();
      return Promise.resolve({
        request: ask('POST', '/mcp-servers', { ...fields, headers: { 'x-key': 'canary' } }),
        answers: 201,
        row: ({ id }) => did('create', 'mcp_server', id, { ...fields, headers_changed: true }),
      });
    },
  ],
  [
    'a tool server is changed',
    async () => {
      const { id } = await call('POST', '/mcp-servers', nextServer());
      return {
        request: ask('PATCH', `/mcp-servers/${id}`, { enabled: false }),
        answers: 200,
        row: () => did('update', 'mcp_server', id, { enabled: false }),
      };
    },
  ],
  [
    'a tool server is deleted',
    async () => {
      const { id, name } = await call('POST', '/mcp-servers', nextServer());
      return {
        request: ask('DELETE', `/mcp-servers/${id}`),
        answers: 204,
        row: () => did('delete', 'mcp_server', id, { name }),
      };
    },
  ],
];

audit.describeTable('policies', TABLE);
