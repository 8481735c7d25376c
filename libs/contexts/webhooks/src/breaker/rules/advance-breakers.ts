import type { DeliveryOutcome } from '../../deliveries/rules/outcome.ts';
import type { BreakerMoveReason, CircuitState } from '../../schema.ts';
import { applyOutcome, type Breaker, type BreakerRules } from './breaker.ts';

/** An endpoint with its breaker, locked while outcomes are applied to the breaker. */
export interface LockedEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly urlVersion: number;
  readonly breaker: Breaker;
}

export interface EndpointChange {
  readonly id: string;
  /** New breaker; undefined leaves it unchanged. */
  readonly breaker: Breaker | undefined;
  readonly last: DeliveryOutcome;
}

/** One change of an endpoint's breaker. */
export interface BreakerMove {
  readonly accountId: string;
  readonly endpointId: string;
  readonly from: CircuitState;
  readonly to: CircuitState;
  readonly reason: BreakerMoveReason;
  readonly consecutiveFailures: number;
}

/** Applies the outcomes to each endpoint's breaker in the order in which the attempts finished. */
export function advanceBreakers(
  endpoints: readonly LockedEndpoint[],
  settled: readonly DeliveryOutcome[],
  rules: BreakerRules,
  now: Date,
): { changes: EndpointChange[]; moves: BreakerMove[] } {
  const changes: EndpointChange[] = [];
  const moves: BreakerMove[] = [];
  for (const endpoint of endpoints) {
    const own = settled.filter((outcome) => outcome.endpointId === endpoint.id);
    const last = own.at(-1);
    if (last === undefined) continue;
    let breaker: Breaker = endpoint.breaker;
    for (const outcome of own.filter((candidate) => candidate.urlVersion === endpoint.urlVersion)) {
      const seen = { succeeded: outcome.verdict === 'delivered', claimToken: outcome.claimToken };
      breaker = applyOutcome(breaker, seen, rules, now);
    }
    const moved = breaker !== endpoint.breaker;
    changes.push({ id: endpoint.id, breaker: moved ? breaker : undefined, last });
    if (breaker.state !== endpoint.breaker.state) {
      moves.push({
        accountId: endpoint.accountId,
        endpointId: endpoint.id,
        from: endpoint.breaker.state,
        to: breaker.state,
        reason: nameMove(endpoint.breaker.state, breaker.state),
        consecutiveFailures: breaker.consecutiveFailures,
      });
    }
  }
  return { changes, moves };
}

/**
 * Returns the reason for a change: failures change a closed breaker; a half-open one is changed only by the outcome of
 * its probe.
 */
function nameMove(from: CircuitState, to: CircuitState): BreakerMoveReason {
  if (from === 'closed') return 'failures';
  return to === 'closed' ? 'probe_succeeded' : 'probe_failed';
}
