import { did, useAudit, type AuditedRequest, type AuditedTable } from '../../../testing/audit-tests.ts';
import { startLoginHost } from '../../../testing/start-login-host.ts';

const environment: Record<string, string> = {};
let host: Awaited<ReturnType<typeof startLoginHost>>;
beforeAll(async () => {
  host = await startLoginHost();
  environment['MCP_ALLOW_INSECURE_URLS'] = host.origin;
});
const audit = useAudit(environment);
const { ask, call } = audit;
afterAll(() => host.close());

const SCOPE = 'tools:call offline_access';
let servers = 0;

/** Adds a disabled server, whose tools are therefore never requested. */
async function addServer(): Promise<{ id: string; name: string }> {
  const server = await call('POST', '/mcp-servers', {
    name: `guarded-${(servers += 1)}`,
    url: host.url,
    enabled: false,
  });
  return { id: server.id as string, name: server['name'] as string };
}

async function beginLogin(id: string) {
  const begun = await call('POST', `/mcp-servers/${id}/oauth/connect`, {});
  return host.agree(String(begun['authorization_url']));
}

/** Audit entries of logins at tool servers (MCP-8), which never contain a code or a token. */
const TABLE: AuditedTable = [
  [
    'a login at a tool server is started',
    async () => {
      const { id } = await addServer();
      return {
        request: ask('POST', `/mcp-servers/${id}/oauth/connect`, {}),
        answers: 200,
        row: () => did('begin_login', 'mcp_server', id, { issuer: host.origin, scope: SCOPE }),
      };
    },
  ],
  [
    'a login at a tool server is completed',
    async () => {
      const { id } = await addServer();
      const logins = [await beginLogin(id), await beginLogin(id)];
      return {
        // A started login can be finished only once, so each request uses another one.
        get request(): AuditedRequest['request'] {
          return ask('POST', `/mcp-servers/${id}/oauth/finish`, logins.shift());
        },
        answers: 200,
        unlogged: 500,
        row: () => did('connect', 'mcp_server', id, { issuer: host.origin, scope: SCOPE }),
      };
    },
  ],
  [
    'a tool server is disconnected',
    async () => {
      const { id, name } = await addServer();
      return {
        request: ask('DELETE', `/mcp-servers/${id}/oauth`),
        answers: 204,
        row: () => did('disconnect', 'mcp_server', id, { name }),
      };
    },
  ],
];

audit.describeTable('logins', TABLE);
