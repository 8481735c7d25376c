import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { eventually } from '@steward/testing';
import { useModelGateway } from './model-gateway-tests.ts';
import { openSharedHost } from './shared-gateway.ts';
import { startGatewayProcess, type GatewayProcess } from './start-gateway-process.ts';
import { text, tool } from './start-upstream-host.ts';

export type Address = Readonly<Record<'url', string>>;

/** The requests that agents make all the time, which use callers again. */
export const ASKED = ['model call', 'permission check', 'tool call'] as const;
export type Asked = (typeof ASKED)[number];

/** Results of the requests of `ASKED`, in that order. */
export type Results = readonly [string, string, string];

export const ALLOWED: Results = ['200 ok', '200 allow', '200 mixed'];

const REQUESTS: Readonly<Record<Asked, { readonly path: string; readonly body: object }>> = {
  'model call': {
    path: '/openai/v1/chat/completions',
    body: { model: 'cheap', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] },
  },
  'permission check': {
    path: '/api/v1/agents/permission-check',
    body: { tool_name: 'mix', server: 'lab', arguments: {} },
  },
  'tool call': {
    path: '/mcp/v1',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'lab__mix', arguments: {} } },
  },
};

interface AnswerBody {
  readonly decision?: string;
  readonly detail?: { readonly code?: string };
  readonly error?: { readonly code?: unknown; readonly message?: string; readonly data?: { readonly code?: string } };
  readonly result?: { readonly content: readonly { readonly text?: string }[] };
}

/**
 * Sends a request of an agent over a connection of its own, so that any process of a group may get it; returns its
 * status with the decision, the text of the tool or the code of the error.
 */
export async function ask({ url }: Address, key: string, asked: Asked): Promise<string> {
  const { path, body } = REQUESTS[asked];
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const sent = request(new URL(path, url), { method: 'POST', agent: false, headers });
  sent.end(JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const { decision, detail, error, result } = readAnswer(await readText(answer));
  const ofTool = result?.content[0]?.text ?? error?.data?.code ?? error?.message;
  const code = detail?.code ?? (typeof error?.code === 'string' ? error.code : undefined);
  return `${answer.statusCode} ${decision ?? code ?? ofTool ?? 'ok'}`;
}

/** Reads an answer, which may be the only event of a stream. */
function readAnswer(received: string): AnswerBody {
  return JSON.parse(/^data: (.*)$/m.exec(received)?.[1] ?? received) as AnswerBody;
}

/** Sends each of the requests to each process. */
export function askAll(processes: readonly Address[], key: string): Promise<string[]> {
  return Promise.all(processes.flatMap((process) => ASKED.map((asked) => ask(process, key, asked))));
}

/** Returns how many requests each process of a gateway admitted with a caller that it had read before. */
async function countReused({ started }: GatewayProcess): Promise<ReadonlyMap<string, number>> {
  const metrics = await (await fetch(`http://127.0.0.1:${started.health_port}/metrics`)).text();
  const lines = [...metrics.matchAll(/^steward_callers_total\{(.*outcome="reused".*)\} (\d+)$/gm)];
  return new Map(lines.map(([, labels = '', count]) => [/process="(\d+)"/.exec(labels)?.[1] ?? '', Number(count)]));
}

/** Sets up the test file: a gateway with a provider and a host of tools, and accounts with an agent that uses both. */
export function useCallers() {
  const gateway = useModelGateway();
  const { people } = gateway;
  return {
    people,
    /** Starts a gateway on the same database as a process of its own, or as a group of processes. */
    async startProcess(environment: Readonly<Record<string, string>> = {}): Promise<GatewayProcess> {
      return startGatewayProcess(people, {
        ACCOUNT_RATE_PER_MINUTE: '1000000',
        MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: gateway.provider().origin,
        MCP_ALLOW_INSECURE_URLS: (await openSharedHost()).origin,
        ...environment,
      });
    },
    /** Opens an account with an administrator, a key of a user with a role, bound to an agent, a model and a tool. */
    async open() {
      const account = await gateway.addAccount();
      const { accessToken: token } = account;
      const prices = { input_per_mtok_usd: 1, output_per_mtok_usd: 1 };
      const modelId = await account.addModel({ alias: 'cheap', provider: 'openai', prices });
      await account.addModel({ alias: 'other', provider: 'openai' });
      const call = async (
        method: string,
        path: string,
        body?: object,
        bearer = token,
        via: Address = people.gateway(),
      ) => {
        const answer = await fetch(`${via.url}/api/v1${path}`, {
          method,
          headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const received = await answer.text();
        if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${received}`);
        return (received === '' ? {} : JSON.parse(received)) as Readonly<Record<'id' | 'key', string>>;
      };
      const server = (await openSharedHost()).add([tool('mix', () => text('mixed'))]);
      const lab = await call('POST', '/mcp-servers', { name: 'lab', url: server.url });
      await call('POST', `/mcp-servers/${lab.id}/refresh`);
      const permissions = ['manage_runtime_sessions', 'view_runtime_sessions', 'view_ai_models'];
      const role = await call('POST', '/roles', { name: 'maker', permissions });
      const user = await people.add(token, 'maker');
      const agent = await call('POST', '/agents', { display_name: 'Bot', agent_kind: 'claude_code' });
      const made = await call('POST', '/auth/api-keys', { name: 'k' }, user.token);
      await people.query(
        `update gateway.api_key set runtime_principal_type = 'managed_agent', runtime_principal_id = $2,
           runtime_principal_name = 'Bot' where id = $1`,
        [made.id, agent.id],
      );
      /** Calls the API as the administrator, at one of the processes. */
      const change = (via: Address, method: string, path: string, body?: object) =>
        call(method, path, body, token, via);
      return {
        ...{ ...account, modelId, call, change, user, roleId: role.id, serverId: lab.id, agentId: agent.id },
        ...{ keyId: made.id, key: made.key },
      };
    },
    /** Sends requests until each gateway of this process holds a lease and has read the key under it. */
    async useEverywhere(gateways: readonly Address[], key: string): Promise<string[]> {
      const countLeases = async () => (await people.query('select id from gateway.caller_lease')).length;
      await eventually(async () => {
        await askAll(gateways, key);
        return (await countLeases()) >= gateways.length;
      });
      await askAll(gateways, key);
      return askAll(gateways, key);
    },
    /** Sends requests until each process of the gateways has used the caller again. */
    async useByProcesses(gateways: readonly GatewayProcess[], key: string): Promise<void> {
      const before = await Promise.all(gateways.map(countReused));
      await eventually(async () => {
        await askAll(gateways, key);
        const after = await Promise.all(gateways.map(countReused));
        return after.every((counts, at) =>
          [...counts].every(([process, count]) => count > (before[at]?.get(process) ?? 0)),
        );
      });
    },
  };
}
export type Opened = Awaited<ReturnType<ReturnType<typeof useCallers>['open']>>;

const DENY = {
  version: '1',
  rules: [{ id: 'closed', description: 'The lab is closed.', match: { tools: ['lab/*'] }, action: 'deny' }],
};
const ALLOW = { version: '1', rules: [] };
const OF_KEY = {
  ...DENY,
  rules: DENY.rules.map((rule) => ({ ...rule, match: { tools: ['lab/*'], api_keys: ['mixer'] } })),
};
const DENIED = '200 Denied by policy: The lab is closed.';
const NO_TOOL = '200 Unknown tool: lab__mix';
const ALL = (result: string): Results => [result, result, result];

export interface CallerChange {
  /** Prepares the account, before the requests begin. */
  readonly prepare?: (opened: Opened) => Promise<Readonly<Record<'id', string>>>;
  /** Makes the change by the API of one of the processes; gets what `prepare` returned. */
  readonly apply: (opened: Opened, via: Address, prepared?: Readonly<Record<'id', string>>) => Promise<unknown>;
  /** Results of the requests from then on. */
  readonly after: Results;
}

/** Everything that an operator may change of what an agent may do. */
export const CALLER_CHANGES: Readonly<Record<string, CallerChange>> = {
  'revoked key': {
    apply: ({ change, keyId }, via) => change(via, 'DELETE', `/auth/api-keys/${keyId}`),
    after: ALL('401 unauthenticated'),
  },
  'limits of the key': {
    apply: ({ change, keyId }, via) =>
      change(via, 'PATCH', `/auth/api-keys/${keyId}`, { limits: { models: ['other'] } }),
    after: ['403 model_not_allowed', '200 allow', '200 mixed'],
  },
  'renamed key': {
    prepare: ({ call }) => call('POST', '/policies/apply', OF_KEY),
    apply: ({ change, keyId }, via) => change(via, 'PATCH', `/auth/api-keys/${keyId}`, { name: 'mixer' }),
    after: ['200 ok', '200 deny', DENIED],
  },
  'inactive user': {
    apply: ({ change, user }, via) => change(via, 'PATCH', `/users/${user.id}`, { is_active: false }),
    after: ALL('401 unauthenticated'),
  },
  'role of the user': {
    apply: ({ change, user }, via) => change(via, 'PATCH', `/users/${user.id}`, { role: 'viewer' }),
    after: ['200 ok', '403 permission_denied', '403 permission_denied'],
  },
  'permissions of the role': {
    apply: ({ change, roleId }, via) => change(via, 'PATCH', `/roles/${roleId}`, { permissions: ['view_ai_models'] }),
    after: ['200 ok', '403 permission_denied', '403 permission_denied'],
  },
  'suspended agent': {
    apply: ({ change, agentId }, via) => change(via, 'PATCH', `/agents/${agentId}`, { lifecycle_state: 'suspended' }),
    after: ALL('403 agent_suspended'),
  },
  'deleted agent': {
    apply: ({ change, agentId }, via) => change(via, 'DELETE', `/agents/${agentId}`),
    after: ALL('401 unauthenticated'),
  },
  'kill switch': {
    apply: ({ change }, via) => change(via, 'PUT', '/account/kill-switch', { engaged: true }),
    after: ALL('403 kill_switch_engaged'),
  },
  'new budget': {
    apply: ({ change }, via) =>
      change(via, 'POST', '/budgets', { scope: 'account', period: 'monthly', limit_amount: 0.000001 }),
    after: ['403 budget_exceeded', '200 allow', '200 mixed'],
  },
  'lower budget': {
    prepare: ({ call }) => call('POST', '/budgets', { scope: 'account', period: 'monthly', limit_amount: 100 }),
    apply: ({ change }, via, budget) => change(via, 'PATCH', `/budgets/${budget?.id}`, { limit_amount: 0.000001 }),
    after: ['403 budget_exceeded', '200 allow', '200 mixed'],
  },
  'disabled model': {
    apply: ({ change, modelId }, via) => change(via, 'PATCH', `/ai-models/${modelId}`, { enabled: false }),
    after: ['404 model_not_found', '200 allow', '200 mixed'],
  },
  'deleted model': {
    apply: ({ change, modelId }, via) => change(via, 'DELETE', `/ai-models/${modelId}`),
    after: ['404 model_not_found', '200 allow', '200 mixed'],
  },
  'renamed model': {
    apply: ({ change, modelId }, via) => change(via, 'PATCH', `/ai-models/${modelId}`, { alias: 'dear' }),
    after: ['404 model_not_found', '200 allow', '200 mixed'],
  },
  'applied policy': {
    apply: ({ change }, via) => change(via, 'POST', '/policies/apply', DENY),
    after: ['200 ok', '200 deny', DENIED],
  },
  'rollback of the policy': {
    prepare: async ({ call }) => {
      await call('POST', '/policies/apply', DENY);
      return call('POST', '/policies/apply', ALLOW);
    },
    apply: ({ change }, via) => change(via, 'POST', '/policies/versions/1/rollback', {}),
    after: ['200 ok', '200 deny', DENIED],
  },
  'disabled tool server': {
    apply: ({ change, serverId }, via) => change(via, 'PATCH', `/mcp-servers/${serverId}`, { enabled: false }),
    after: ['200 ok', '200 allow', NO_TOOL],
  },
  'deleted tool server': {
    apply: ({ change, serverId }, via) => change(via, 'DELETE', `/mcp-servers/${serverId}`),
    after: ['200 ok', '200 allow', NO_TOOL],
  },
};
