import { allowsDestination, type AllowedDestination, type Destination } from '@steward/flows';

/** What the programs of a run may reach. */
export interface NetworkRules {
  /** Where agents reach the API. */
  readonly api: Destination | undefined;
  /** What the operator allows every flow. */
  readonly operator: readonly AllowedDestination[];
  readonly flow: readonly AllowedDestination[];
  /** The server of the repository, for the clone alone. */
  readonly repository: Destination | undefined;
  /** Hosts whose requests get a secret. */
  readonly secretHosts: ReadonlySet<string>;
}

/**
 * Who lets a program reach a destination, which says how closely its addresses are looked at: those of the API and of hosts that the
 * operator names are taken as they are, those of a flow and of wildcards must be public or in a network of the operator.
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
  // A request to port 80 is sent on to port 443.
  if (secretHosts.has(asked.host) && asked.port === 443) return 'flow';
  return flow.some((entry) => allowsDestination(entry, asked)) ? 'flow' : undefined;
}
