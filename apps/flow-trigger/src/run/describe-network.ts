import { normalizeHost, readAllowedDestination, type NetworkSecret } from '@steward/flows';
import { readServer } from '../network/read-server.ts';
import type { NetworkRequest } from '../network/run-network.ts';
import { RunFailure } from './run-failure.ts';
import type { Attempt, OpenedAttempt } from './run.ts';

/**
 * Returns the destinations that programs of a run may reach: those that the flow of the run names and, for the clone,
 * the server of the repository. @throws RunFailure
 */
export function describeNetwork({ flow, networkSecrets }: OpenedAttempt, log: Attempt['log']): NetworkRequest {
  const { network_allow: allow, git_clone_config: clone } = flow;
  return {
    flow: allow.flatMap((text) => readAllowedDestination(text) ?? []),
    repository: clone === null ? undefined : readServer(clone.repository_url),
    secrets: networkSecrets.map(readSecret),
    // A finished run accepts no log lines.
    note: (text, level) => void log.write('network', text, level).catch(() => undefined),
  };
}

/**
 * Returns a secret that can be sent in a header, without white space around it: a secret is often stored with the
 * trailing line feed of its file.
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
