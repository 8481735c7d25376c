import type { CircuitState } from '../../schema.ts';

/** The breaker of one endpoint, as stored in its row. */
export interface Breaker {
  readonly state: CircuitState;
  readonly openUntil: Date | null;
  readonly consecutiveFailures: number;
  readonly probeToken: string | null;
}

/** The properties of a finished attempt that the breaker uses. */
export interface BreakerOutcome {
  readonly succeeded: boolean;
  /** Claim token of the attempt; the attempt is the probe if the endpoint's row contains this token. */
  readonly claimToken: string;
}

export interface BreakerRules {
  readonly failureThreshold: number;
  readonly cooldownSeconds: number;
}

export const CLOSED_BREAKER: Breaker = { state: 'closed', openUntil: null, consecutiveFailures: 0, probeToken: null };

/**
 * Returns the breaker after one outcome (HOOK-28 to HOOK-30). While the breaker is open or half open, only the probe
 * decides: an attempt that began before the breaker opened shows nothing about the endpoint's state afterwards.
 */
export function applyOutcome(breaker: Breaker, outcome: BreakerOutcome, rules: BreakerRules, now: Date): Breaker {
  if (breaker.state === 'closed') {
    if (outcome.succeeded) return breaker.consecutiveFailures === 0 ? breaker : CLOSED_BREAKER;
    const consecutiveFailures = breaker.consecutiveFailures + 1;
    if (consecutiveFailures < rules.failureThreshold) return { ...breaker, consecutiveFailures };
    return openBreaker(consecutiveFailures, rules, now);
  }
  const isProbe = breaker.state === 'half_open' && breaker.probeToken === outcome.claimToken;
  if (!isProbe) return breaker;
  return outcome.succeeded ? CLOSED_BREAKER : openBreaker(breaker.consecutiveFailures + 1, rules, now);
}

function openBreaker(consecutiveFailures: number, rules: BreakerRules, now: Date): Breaker {
  const openUntil = new Date(now.getTime() + rules.cooldownSeconds * 1000);
  return { state: 'open', openUntil, consecutiveFailures, probeToken: null };
}
