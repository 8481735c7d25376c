import type { FlowFields } from '../flow-fields.ts';
import type { FlowRow } from '../../schema.ts';
import { isSameServer, joinCredentials, splitCredentials } from './repository-credentials.ts';

/**
 * Placeholder for a stored value, in columns and responses. If a client sends it back, the stored value is not changed.
 */
export const HIDDEN_VALUE = '[hidden]';

/** Secrets of a flow's agent, which are never shown again. */
export interface AgentSecrets {
  readonly env: Readonly<Record<string, string>>;
  /** User and password, or the token, from the repository's URL. */
  readonly credentials?: string | undefined;
}

export const NO_AGENT_SECRETS: AgentSecrets = { env: {} };

type SecretFields = Pick<FlowFields, 'agent_config' | 'git_clone_config'>;

export type SplitOutcome =
  | { readonly kind: 'split'; readonly fields: Partial<SecretFields>; readonly secrets: AgentSecrets }
  /** The placeholder `HIDDEN_VALUE` was sent for a field that has no stored value. */
  | { readonly kind: 'nothing_stored'; readonly field: string };

export interface StoredSecrets {
  readonly secrets: AgentSecrets;
  readonly repositoryUrl?: string | undefined;
}

/**
 * Separates the secrets from a client's fields, based on the stored secrets. A variable that is missing, or whose value
 * is the placeholder, retains its value; null removes it. The credentials of a repository are retained as long as its
 * server stays the same, unless null is sent or the URL contains other credentials.
 */
export function splitAgentSecrets(fields: Partial<SecretFields>, stored: StoredSecrets): SplitOutcome {
  const result: { -readonly [Key in keyof SecretFields]?: SecretFields[Key] } = {};
  let { env, credentials } = stored.secrets;
  if (fields.agent_config !== undefined) {
    const { env: given, ...rest } = fields.agent_config as { env?: Record<string, string | null> | null };
    const unknown = Object.entries(given ?? {}).find(
      ([name, value]) => value === HIDDEN_VALUE && !Object.hasOwn(env, name),
    );
    if (unknown !== undefined) return { kind: 'nothing_stored', field: `agent_config.env.${unknown[0]}` };
    env = given === null ? {} : mergeEnvironment(env, given ?? {});
    result.agent_config = Object.keys(env).length === 0 ? rest : { ...rest, env: maskEnvironment(env) };
  }
  if (fields.git_clone_config === null) {
    [result.git_clone_config, credentials] = [null, undefined];
  } else if (fields.git_clone_config !== undefined) {
    const { credentials: mark, ...clone } = fields.git_clone_config;
    const split = splitCredentials(clone.repository_url);
    credentials = split.credentials ?? (mark === null ? undefined : keepCredentials(split.plain, stored));
    if (mark !== undefined && mark !== null && credentials === undefined) {
      return { kind: 'nothing_stored', field: 'git_clone_config.credentials' };
    }
    const shown = credentials === undefined ? {} : { credentials: HIDDEN_VALUE };
    result.git_clone_config = { ...clone, repository_url: split.plain, ...shown };
  }
  return { kind: 'split', fields: result, secrets: { env, credentials } };
}

function mergeEnvironment(
  stored: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string>> {
  const merged = new Map(Object.entries(stored));
  for (const [name, value] of Object.entries(given)) {
    if (value === null) merged.delete(name);
    else if (value !== HIDDEN_VALUE) merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

function maskEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(env).map((name) => [name, HIDDEN_VALUE]));
}

function keepCredentials(plain: string, { secrets, repositoryUrl }: StoredSecrets): string | undefined {
  return repositoryUrl !== undefined && isSameServer(plain, repositoryUrl) ? secrets.credentials : undefined;
}

/** Returns the flow with its secrets, for running its agent. */
export function joinAgentSecrets<F extends Pick<FlowRow, 'agent_config' | 'git_clone_config'>>(
  flow: F,
  { env, credentials }: AgentSecrets,
): F {
  const { git_clone_config: clone } = flow;
  return {
    ...flow,
    agent_config: { ...flow.agent_config, env },
    git_clone_config:
      clone === null || credentials === undefined
        ? clone
        : { ...clone, repository_url: joinCredentials(splitCredentials(clone.repository_url).plain, credentials) },
  };
}
