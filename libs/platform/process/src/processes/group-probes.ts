import type { HealthReport } from '../health/health.ts';
import type { ProbeAnswer, Probes } from '../health/probes.ts';
import { VERSION } from '../health/version.ts';
import type { Question } from './process-messages.ts';

/** Asks all processes that have started; one that does not answer is left out. */
export type AskAll = <T>(question: Question) => Promise<T[]>;

const SEVERITY: readonly HealthReport['status'][] = ['unhealthy', 'degraded', 'healthy'];

/** Probes of a group: ready when one of its processes is, as healthy as the worst of them. */
export function createGroupProbes(ask: AskAll, isDraining: () => boolean): Probes {
  return {
    live: () => ({ status: 200, body: { status: 'alive', version: VERSION } }),
    async ready() {
      if (isDraining()) return { status: 503, body: { status: 'draining', version: VERSION } };
      const answers = await ask<Awaited<ReturnType<Probes['ready']>>>('ready');
      const ready = answers.find(({ status }) => status === 200);
      return ready ?? { status: 503, body: { status: 'not_ready', version: VERSION } };
    },
    async health() {
      const answers = await ask<ProbeAnswer<HealthReport>>('health');
      const worst = SEVERITY.flatMap((status) => answers.find(({ body }) => body.status === status) ?? [])[0];
      return worst ?? { status: 503, body: { status: 'unhealthy', checks: {}, version: VERSION } };
    },
  };
}
