import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const audit = useAudit();
const { ask, call } = audit;

const SINCE = '2026-10-01T00:00:00.000Z';
const UNTIL = '2026-11-01T00:00:00.000Z';
let documents = 0;
const nextDocument = () => ({ version: '1', metadata: { name: `document ${(documents += 1)}` } });
const apply = async (): Promise<number> => (await call('POST', '/policies/apply', nextDocument())).version;

const HASH = 'ab'.repeat(32);
let servers = 0;
/** Returns the fields of a disabled server, whose tools are therefore never requested. */
const nextServer = () => ({
  name: `server-${(servers += 1)}`,
  url: 'https://tools.example.com/mcp',
  enabled: false,
});

/** Audit entries of policies (POL-17, ACC-33), and of tool servers (MCP-1), which never contain their headers. */
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
    'a policy is rolled back',
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
    'a tool server is added',
    () => {
      const fields = nextServer();
      return Promise.resolve({
        request: ask('POST', '/mcp-servers', { ...fields, headers: { 'x-key': 'canary' } }),
        answers: 201,
        row: ({ id }) => {
          const shown = { ...fields, url: 'https://tools.example.com/[hidden]' };
          return did('create', 'mcp_server', id, { ...shown, headers_changed: true });
        },
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
    'the tools of a server are refreshed',
    async () => {
      const { id } = await call('POST', '/mcp-servers', { ...nextServer(), url: 'https://tools.invalid/mcp' });
      return {
        request: ask('POST', `/mcp-servers/${id}/refresh`),
        answers: 200,
        row: () => did('refresh', 'mcp_server', id, { url: 'https://tools.invalid/[hidden]' }),
      };
    },
  ],
  [
    'a tool of a server is accepted',
    async () => {
      const { id } = await call('POST', '/mcp-servers', nextServer());
      await audit.admin().query(
        `insert into tool_servers.tool (account_id, server_id, name, definition, definition_hash, accepted_hash,
           accepted_definition, first_seen_at, changed_at)
         select account_id, id, 'deploy', '{"name": "deploy"}', decode($2, 'hex'), '', '{"name": "deploy"}', now(), now()
         from tool_servers.server where id = $1`,
        [id, HASH],
      );
      return {
        request: ask('POST', `/mcp-servers/${id}/tools/deploy/accept`),
        answers: 200,
        row: () => did('accept_tool', 'mcp_server', id, { tool_name: 'deploy', definition_hash: HASH }),
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
  // This test is the last one: the change is processed after its response, which would disturb tests that check for
  // changes.
  [
    'a policy is backtested',
    () =>
      Promise.resolve({
        request: ask('POST', '/policies/backtest', { since: SINCE, until: UNTIL, limit: 10 }),
        answers: 202,
        row: ({ id }) => did('backtest', 'policy', id, { since: SINCE, until: UNTIL, limit: 10 }),
      }),
  ],
];

audit.describeTable('policies', TABLE);
