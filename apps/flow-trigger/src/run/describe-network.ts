import { normalizeHost, readAllowedDestination, type NetworkSecret } from '@steward/flows';
import { readServer } from '../network/read-server.ts';
import type { NetworkRequest } from '../network/run-network.ts';
import { RunFailure } from './run-failure.ts';
import type { Attempt, OpenedAttempt } from './run.ts';

/**
 * Returns the part of the network rules that depends on the flow of a run: the destinations that the flow names, the
 * server of the repository, and the secrets. @throws RunFailure if a secret cannot be sent in a header
 */
export function describeNetwork({ flow, networkSecrets }: OpenedAttempt, log: Attempt['log']): NetworkRequest {
  const { network_allow: allow, git_clone_config: clone } = flow;
  return {
    flow: allow.flatMap((text) => readAllowedDestination(text) ?? []),
    repository: clone === null ? undefined : readServer(clone.repository_url),
    secrets: networkSecrets.map(readSecret),
    // Errors are ignored, because a finished run accepts no log lines.
    note: (text, level) => void log.write('network', text, level).catch(() => undefined),
  };
}

/**
 * Returns a secret without the white space around its value, because a secret is often stored with the trailing line
 * feed of its file. @throws RunFailure if the value cannot be sent in a header
 */
function readSecret({ host, header, value }: NetworkSecret, index: number): NetworkSecret {
  const text = value.trim();
  if (!/^[\t\u0020-\u007e\u0080-\u00ff]+$/.test(text))
    throw new RunFailure(
      'setup_failed',
      `network_secrets.${index} of the flow has a value that cannot be sent in a header.`,
    );
  return { host: normalizeHost(host), header, value: text };
}
