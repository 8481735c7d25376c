import { reportHealth, type HealthCheck, type HealthReport } from './health.ts';
import { VERSION } from './version.ts';

export interface ProbeAnswer<Body> {
  readonly status: 200 | 503;
  readonly body: Body & { readonly version: string };
}

/** Probes for an orchestrator (PROC-5, PROC-6). */
export interface Probes {
  /**
   * Reports that the process is running, even while the database is unreachable, since a restart would not solve that.
   */
  live(): ProbeAnswer<{ readonly status: 'alive' }>;
  /** Reports whether the process accepts requests: the database responds, and no stop was requested. */
  ready(): Promise<ProbeAnswer<{ readonly status: 'ready' | 'draining' | 'not_ready' }>>;
  /**
   * Reports the state of the database and the broker, for people and dashboards; a lost broker only degrades the
   * process.
   */
  health(): Promise<ProbeAnswer<HealthReport>>;
}

export interface ProbesOptions {
  readonly checks: readonly HealthCheck[];
  readonly isDraining: () => boolean;
}

export function createProbes({ checks, isDraining }: ProbesOptions): Probes {
  const essential = checks.filter((check) => check.essential);
  return {
    live: () => ({ status: 200, body: { status: 'alive', version: VERSION } }),
    async ready() {
      if (isDraining()) return { status: 503, body: { status: 'draining', version: VERSION } };
      const { status } = await reportHealth(essential);
      return status === 'healthy'
        ? { status: 200, body: { status: 'ready', version: VERSION } }
        : { status: 503, body: { status: 'not_ready', version: VERSION } };
    },
    async health() {
      const report = await reportHealth(checks);
      return { status: report.status === 'unhealthy' ? 503 : 200, body: { ...report, version: VERSION } };
    },
  };
}
