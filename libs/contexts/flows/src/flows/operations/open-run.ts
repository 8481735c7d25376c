import type { AnyDatabase } from '@steward/database';
import { describeRowContext, type SecretBox } from '@steward/crypto';
import { readAgentConfig, type AgentSettings } from '../rules/agent-config.ts';
import { joinAgentSecrets, type AgentSecrets } from '../rules/agent-secrets.ts';
import type { NetworkSecret } from '../rules/network-allow.ts';
import { listSecretReferences, replaceSecretReferences } from '../rules/secret-references.ts';
import type { RunnableFlow } from '../../schema.ts';
import { listLeasedSecrets } from '../store/flow-secrets.store.ts';
import { openAgentSecrets } from './agent-secrets.ts';

/** A flow with all the data that a run of it gets. It must never be stored or shown. */
export interface OpenedRun {
  /**
   * The flow with its variables and the credentials of its repository in plaintext; in setup commands, each secret is
   * replaced by a reference to its shell variable.
   */
  readonly flow: RunnableFlow;
  readonly agent: AgentSettings;
  /** Environment variables to which setup commands refer. */
  readonly setupEnvironment: Readonly<Record<string, string>>;
  /** Headers that are added to requests to certain hosts, with the secrets in plaintext. */
  readonly networkSecrets: readonly NetworkSecret[];
  /**
   * Values of the variables and of the named secrets; like the credentials of the repository, they must not appear in
   * the output of the run.
   */
  readonly secrets: readonly string[];
}

export type OpenRunOutcome =
  | { readonly kind: 'opened'; readonly run: OpenedRun }
  /** The flow refers to a secret of this name, which the account does not have. */
  | { readonly kind: 'missing'; readonly name: string }
  /** No worker can run this agent configuration: an earlier release stored it, or it bypassed the routes. */
  | { readonly kind: 'invalid'; readonly field: string; readonly problem: string };

type Lease = { readonly executionId: string; readonly token: string };

/**
 * Decrypts the secrets of a run for the worker that holds its lease.
 * @throws if a secret was sealed with an unknown key
 */
export async function openRun(
  db: AnyDatabase,
  lease: Lease,
  flow: RunnableFlow,
  box: Pick<SecretBox, 'open'>,
): Promise<OpenRunOutcome> {
  // Variables were checked when they were saved, and are not checked again: with the values of secrets, they may be
  // longer than the limit.
  const { env: _masked, ...config } = flow.agent_config;
  const read = readAgentConfig(flow.agent_type, config);
  if (read.kind === 'invalid') return read;
  const own = await readOwnSecrets(db, lease, flow, box);
  const url = joinAgentSecrets(flow, own).git_clone_config?.repository_url ?? '';
  const carried = (flow.network_secrets ?? []) as readonly NetworkSecret[];
  const names = listSecretReferences([
    ...Object.values(own.env),
    ...flow.setup_commands,
    url,
    ...carried.map(({ value }) => value),
  ]);
  const named = await readNamedSecrets(db, lease, names, box);
  const missing = names.find((name) => !named.has(name));
  if (missing !== undefined) return { kind: 'missing', name: missing };
  const valueOf = (name: string): string => named.get(name) ?? '';

  const env = Object.fromEntries(
    Object.entries(own.env).map(([name, text]) => [name, replaceSecretReferences(text, valueOf)]),
  );
  const joined = joinAgentSecrets(flow, { ...own, env });
  const { git_clone_config: clone } = joined;
  const repositoryUrl = replaceSecretReferences(url, (name) => encodeURIComponent(valueOf(name)));
  const run: OpenedRun = {
    agent: { ...read.settings, env },
    flow: {
      ...joined,
      git_clone_config: clone === null ? null : { ...clone, repository_url: repositoryUrl },
      // The secret is passed as a variable: in the command string it would be visible in the process list, and could
      // end the command early.
      setup_commands: flow.setup_commands.map((command) =>
        replaceSecretReferences(command, (name) => `\${${toVariable(name)}}`),
      ),
    },
    setupEnvironment: Object.fromEntries(
      listSecretReferences(flow.setup_commands).map((name) => [toVariable(name), valueOf(name)]),
    ),
    networkSecrets: carried.map((secret) => ({ ...secret, value: replaceSecretReferences(secret.value, valueOf) })),
    secrets: [...Object.values(env), ...named.values()],
  };
  return { kind: 'opened', run };
}

function toVariable(name: string): string {
  return `STEWARD_SECRET_${name}`;
}

async function readOwnSecrets(
  db: AnyDatabase,
  lease: Lease,
  flow: RunnableFlow,
  box: Pick<SecretBox, 'open'>,
): Promise<AgentSecrets> {
  const [own] = await listLeasedSecrets(db, { ...lease, names: [] });
  return openAgentSecrets(flow, own?.sealed ?? null, box);
}

async function readNamedSecrets(
  db: AnyDatabase,
  lease: Lease,
  names: readonly string[],
  box: Pick<SecretBox, 'open'>,
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const rows = await listLeasedSecrets(db, { ...lease, names });
  return new Map(
    rows.flatMap(({ account_id: accountId, name, sealed }) =>
      name === null ? [] : [[name, box.open(sealed, describeRowContext(accountId, name))] as const],
    ),
  );
}
