import type { StoredAddress } from '@steward/crypto';
import type { CircuitState, EndpointSource } from '../../schema.ts';

/** An endpoint in the form shown to users; never contains a secret. */
export interface Endpoint {
  readonly id: string;
  /** Encrypted address, with the context `describeUrlContext`. */
  readonly address: StoredAddress;
  readonly description: string;
  /** Group of the endpoint; a portal link gives access to the endpoints of one group. */
  readonly group: string | null;
  readonly eventTypes: readonly string[];
  readonly active: boolean;
  readonly keepsAnswers: boolean;
  readonly source: EndpointSource;
  readonly secretHint: string | null;
  readonly circuitState: CircuitState;
  readonly circuitOpenUntil: Date | null;
  readonly consecutiveFailures: number;
  readonly refusalReason: string | null;
  readonly refusedAt: Date | null;
  readonly lastDeliveryStatus: string | null;
  readonly lastDeliveryAt: Date | null;
  readonly lastResponseStatus: number | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * Returns the state of a breaker as shown to users: a breaker whose cooldown has ended is half open from that time on,
 * whether or not a probe has been sent.
 */
export function readCircuitState(state: CircuitState, openUntil: Date | null, now: Date): CircuitState {
  return state === 'open' && openUntil !== null && openUntil <= now ? 'half_open' : state;
}
