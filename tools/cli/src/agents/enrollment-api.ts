import { createApiClient, createKeyClient, createStoredClient, type ApiClient } from '../api/api-client.ts';
import { readAnswer, type Answer } from '../api/answer.ts';
import type { CliContext } from '../cli-context.ts';
import { requireCredentials } from '../config/find-credentials.ts';
import { findConfigPath, readLogin } from '../config/config-file.ts';
import { refuse } from '../exit-codes.ts';
import { KEY_VARIABLE } from './agent-kinds.ts';

/** Data about an agent's configuration for the registry; it never contains the path. */
export interface EnrollmentFacts {
  readonly adapterKey: string;
  readonly isGatewayRouted: boolean;
  readonly isMcpRewritten: boolean;
}

export interface EnrollmentRef {
  readonly agent_id: string;
  readonly id: string;
}

const pathOf = (agentId: string): string => `/api/v1/agents/${encodeURIComponent(agentId)}/enrollments`;

/**
 * Creates the enrollment in the registry. It is sent before the file is changed, so that the file stays unchanged if
 * the service refuses.
 */
export async function createEnrollment(
  context: CliContext,
  agentId: string,
  facts: EnrollmentFacts,
): Promise<EnrollmentRef> {
  const { body } = await record(context, 'POST', pathOf(agentId), {
    body: {
      enrollment_type: 'cli',
      adapter_key: facts.adapterKey,
      status: 'applied',
      gateway_routed: facts.isGatewayRouted,
      mcp_rewritten: facts.isMcpRewritten,
    },
  });
  // The id is the agent's current one, in case the agent was merged.
  return { agent_id: String(body.agent_id), id: String(body.id) };
}

export async function reportValidation(
  context: CliContext,
  { agent_id: agentId, id }: EnrollmentRef,
  { isOk, message }: { readonly isOk: boolean; readonly message: string },
): Promise<void> {
  await record(context, 'POST', `${pathOf(agentId)}/${id}/validate`, { body: { ok: isOk, message } });
}

export async function reportRestored(context: CliContext, { agent_id: agentId, id }: EnrollmentRef): Promise<void> {
  await record(context, 'POST', `${pathOf(agentId)}/${id}/restore`);
}

/**
 * Makes the calls that the agent would make, using the agent's key. Returns undefined on success, otherwise the
 * failure.
 * @throws refused without the agent's key
 */
export async function tryAsAgent(
  context: CliContext,
  agentId: string,
  facts: Pick<EnrollmentFacts, 'isGatewayRouted' | 'isMcpRewritten'> & { readonly modelsPath: string },
): Promise<string | undefined> {
  const key = context.env[KEY_VARIABLE] ?? '';
  if (key === '') throw refuse(`${KEY_VARIABLE} is not set. Run this command with the key of the agent.`);
  const client = createKeyClient(context, requireCredentials(context).url, key);
  const keys = await readAnswer(await client.send('GET', '/api/v1/auth/api-keys'));
  if (keys.status !== 200) return `The service refused the key (HTTP ${keys.status}).`;
  if (!isOfAgent(keys, agentId)) return 'The key is not bound to this agent.';
  if (facts.isMcpRewritten) {
    const tools = await client.send('POST', '/mcp/v1', INITIALIZE);
    if (!tools.ok) return `The tools endpoint did not accept the call (HTTP ${tools.status}).`;
  }
  if (facts.isGatewayRouted) {
    const models = await client.send('GET', facts.modelsPath);
    if (!models.ok) return `The models endpoint did not accept the call (HTTP ${models.status}).`;
  }
  return undefined;
}

/**
 * Returns a message if the hook of the agent has not called the service. Undefined if it has, and for services of
 * earlier releases, which do not report it.
 */
export async function findSilence(context: CliContext, agentId: string): Promise<string | undefined> {
  const { body } = await record(context, 'GET', `/api/v1/agents/${encodeURIComponent(agentId)}`);
  return body.last_permission_check_at === null
    ? 'Its hook ran but did not call the service with a key of this agent.'
    : undefined;
}

/** Returns true if the key belongs to the agent: a key may read its own data. */
function isOfAgent({ body }: Answer, agentId: string): boolean {
  const items = (body.items ?? []) as readonly { readonly runtime_principal?: { readonly id?: unknown } | null }[];
  return items.some(({ runtime_principal: principal }) => principal?.id === agentId);
}

const INITIALIZE = {
  headers: { accept: 'application/json, text/event-stream' },
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'steward', version: '1' } },
  },
};

type Call = ApiClient['call'];

/**
 * Sends a request to the registry with the stored login, because the key in the environment may be the agent's, which
 * may not change the registry.
 * @throws refused if there is no stored login
 */
async function record(context: CliContext, ...request: Parameters<Call>): ReturnType<Call> {
  const path = findConfigPath(context.env);
  const login = readLogin(path);
  const { url } = requireCredentials(context);
  const stored = login?.url === url ? createStoredClient(context, path, login) : undefined;
  if (stored !== undefined) return stored.call(...request);
  try {
    return await createApiClient(context).call(...request);
  } catch (error) {
    if (!(error instanceof Error) || !/acts as an agent/.test(error.message)) throw error;
    throw refuse(
      `The key in ${KEY_VARIABLE} belongs to an agent, which may not change the registry. Also log in as a user on this machine (steward login --url ${url}), then run this command again.`,
    );
  }
}
