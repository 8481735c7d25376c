import { createApiClient, type ApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { cleanText } from '../output.ts';
import { buildLimits, type KeyLimitOptions } from './key-limits.ts';

export interface KeysCreateOptions extends KeyLimitOptions {
  readonly forAgent: string;
  readonly name?: string;
  readonly expires?: string;
}

/** Minimum permissions that an agent needs for all surfaces; docs/use/agents.md lists them by surface. */
const NEEDED = ['view_runtime_sessions', 'manage_runtime_sessions', 'view_approvals', 'view_ai_models'] as const;
/** Permission of the enterprise edition: only in that edition is search impossible without it. */
const WHERE_KNOWN = 'search_session_content';
const MAX_NAME = 100;

/**
 * Runs `steward keys create --for-agent`: creates one key for an agent that uses models, tools, the hook, imports and
 * traces.
 */
export async function runKeysCreate(context: CliContext, options: KeysCreateOptions): Promise<void> {
  const { forAgent: id, expires } = options;
  const limits = buildLimits(options);
  const client = createApiClient(context);
  const scopes = await chooseScopes(client);
  const name = options.name ?? (await readAgentName(client, id));
  const body = {
    name: name.slice(0, MAX_NAME),
    scopes,
    runtime_principal: { type: 'managed_agent', id },
    ...(expires === undefined ? {} : { expires_at: expires }),
    ...(limits === null ? {} : { limits }),
  };
  const made = (await client.call('POST', '/api/v1/auth/api-keys', { body })).body;
  const { key } = made;
  if (typeof key !== 'string') throw refuse('The response of the service contains no key.');
  context.output.note(cleanText(`key "${String(made['name'])}" acts as agent ${id}; scopes: ${scopes.join(', ')}`));
  context.output.note('The key is shown only once. The agent reads it from STEWARD_API_KEY.');
  context.output.credential(key);
}

/**
 * Chooses the permissions of the key. Creators can grant only permissions that they have.
 * @throws refused
 */
async function chooseScopes(client: ApiClient): Promise<string[]> {
  const { permissions } = (await client.call('GET', '/api/v1/users/me')).body;
  const own = Array.isArray(permissions) ? (permissions as unknown[]) : [];
  const missing = NEEDED.filter((permission) => !own.includes(permission));
  if (missing.length > 0)
    throw refuse(
      `An agent needs the permissions ${missing.join(', ')}, which your own credential does not have: ask a user who has them.`,
    );
  return own.includes(WHERE_KNOWN) ? [...NEEDED, WHERE_KNOWN] : [...NEEDED];
}

async function readAgentName(client: ApiClient, id: string): Promise<string> {
  const { display_name: name } = (await client.call('GET', `/api/v1/agents/${encodeURIComponent(id)}`)).body;
  return typeof name === 'string' && name !== '' ? name : 'agent';
}
