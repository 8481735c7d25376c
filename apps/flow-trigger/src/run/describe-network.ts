import { normalizeHost, readAllowedDestination } from '@steward/slice-flows';
import { readServer } from '../network/read-server.ts';
import type { NetworkRequest } from '../network/run-network.ts';
import type { Attempt, OpenedAttempt } from './run.ts';

/** What the programs of a run may reach: what its flow names, and for its clone the server of its repository. */
export function describeNetwork({ flow, networkSecrets }: OpenedAttempt, log: Attempt['log']): NetworkRequest {
  const { network_allow: allow, git_clone_config: clone } = flow;
  return {
    flow: allow.flatMap((text) => readAllowedDestination(text) ?? []),
    repository: clone === null ? undefined : readServer(clone.repository_url),
    secrets: networkSecrets.map((secret) => ({ ...secret, host: normalizeHost(secret.host) })),
    // A run that is over takes no lines.
    note: (text, level) => void log.write('network', text, level).catch(() => undefined),
  };
}
