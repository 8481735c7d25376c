import type { SecretBox } from '@steward/crypto';
import { HIDDEN_VALUE, NO_AGENT_SECRETS, type AgentSecrets } from '../rules/agent-secrets.ts';
import { splitCredentials } from '../rules/repository-credentials.ts';
import type { FlowRow } from '../../schema.ts';

type ColumnsInClear = Pick<FlowRow, 'agent_config' | 'git_clone_config'>;

/** Seals the secrets of a flow's agent; returns null if there is nothing to seal. */
export function sealAgentSecrets(secrets: AgentSecrets, flowId: string, box: SecretBox): Buffer | null {
  const isEmpty = Object.keys(secrets.env).length === 0 && secrets.credentials === undefined;
  return isEmpty ? null : box.seal(JSON.stringify(secrets), flowId);
}

/** Returns the secrets of a flow: the sealed ones, and those that an earlier release stored in the row in plaintext. */
export function openAgentSecrets(
  flow: ColumnsInClear & { readonly id: string },
  sealed: Buffer | null,
  box: Pick<SecretBox, 'open'>,
): AgentSecrets {
  const stored = sealed === null ? NO_AGENT_SECRETS : (JSON.parse(box.open(sealed, flow.id)) as AgentSecrets);
  const { env = {} } = flow.agent_config as { env?: Readonly<Record<string, string>> };
  const inClear = Object.entries(env).filter(([, value]) => value !== HIDDEN_VALUE);
  const { credentials } = splitCredentials(flow.git_clone_config?.repository_url ?? '');
  return {
    env: { ...stored.env, ...Object.fromEntries(inClear) },
    credentials: credentials ?? stored.credentials,
  };
}
