import { allowsDestination, type AllowedDestination, type Destination } from '@steward/flows';

/** The network destinations that programs of a run may reach. */
export interface NetworkRules {
  /** Address of the API that agents use. */
  readonly api: Destination | undefined;
  /** Destinations that the operator allows every flow. */
  readonly operator: readonly AllowedDestination[];
  readonly flow: readonly AllowedDestination[];
  /** The server of the repository, which may be reached only during the clone. */
  readonly repository: Destination | undefined;
  /** Hosts for which a secret is added to requests. */
  readonly secretHosts: ReadonlySet<string>;
}

/**
 * The rule that allows a destination determines how strictly the addresses of the destination are checked. The
 * addresses of the API are not checked; no run reaches any other address of the service itself. In addition, addresses
 * that only a flow or a wildcard allows must be public or in a network in `FLOW_NETWORK_PRIVATE_CIDRS`, and the
 * addresses of the repository's server must not be link-local.
 */
export type Grant = 'api' | 'operator' | 'repository' | 'flow';

export function grantDestination(rules: NetworkRules, asked: Destination, isCloning: boolean): Grant | undefined {
  const { api, operator, flow, repository, secretHosts } = rules;
  const isSame = (other: Destination | undefined): boolean => other?.host === asked.host && other.port === asked.port;
  if (isSame(api)) return 'api';
  const ofOperator = operator.filter((entry) => allowsDestination(entry, asked));
  if (ofOperator.some(({ isWildcard }) => !isWildcard)) return 'operator';
  if (isCloning && isSame(repository)) return 'repository';
  if (ofOperator.length > 0) return 'flow';
  // A request with a secret is sent to port 80 by the program, and forwarded to port 443.
  if (secretHosts.has(asked.host) && asked.port === 443) return 'flow';
  return flow.some((entry) => allowsDestination(entry, asked)) ? 'flow' : undefined;
}
