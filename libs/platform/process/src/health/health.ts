import { endsWithin } from '@steward/async';

/**
 * Health check of one dependency; `check` resolves if the dependency responds, and otherwise rejects or stays pending.
 */
export interface HealthCheck {
  readonly name: 'database' | 'broker';
  /**
   * True if a failure of this check makes the process unhealthy (503); the failure of another check only degrades it.
   */
  readonly essential: boolean;
  check(): Promise<void>;
}

export interface HealthReport {
  readonly status: 'healthy' | 'degraded' | 'unhealthy';
  readonly checks: Readonly<Record<string, 'ok' | 'failed'>>;
}

const CHECK_TIMEOUT_MS = 2000;

/** Runs all checks simultaneously, each with a time limit (PROC-6). */
export async function reportHealth(checks: readonly HealthCheck[]): Promise<HealthReport> {
  const outcomes = await Promise.all(checks.map(async (check) => ({ check, ok: await passes(check) })));
  const failed = outcomes.filter((outcome) => !outcome.ok);
  const unhealthy = failed.some((outcome) => outcome.check.essential);
  return {
    status: unhealthy ? 'unhealthy' : failed.length > 0 ? 'degraded' : 'healthy',
    checks: Object.fromEntries(outcomes.map(({ check, ok }) => [check.name, ok ? 'ok' : 'failed'])),
  };
}

async function passes(check: HealthCheck): Promise<boolean> {
  try {
    return await endsWithin(check.check(), CHECK_TIMEOUT_MS);
  } catch {
    return false;
  }
}
