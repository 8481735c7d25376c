import type { HealthReport } from '../health/health.ts';
import type { ProbeAnswer, Probes } from '../health/probes.ts';
import { VERSION } from '../health/version.ts';
import type { Question } from './process-messages.ts';

/**
 * Requests a report from each process that has started; a result is undefined if the process ends or does not respond
 * in time.
 */
export type AskAll = <T>(question: Question) => Promise<T | undefined>[];

const SEVERITY: readonly HealthReport['status'][] = ['unhealthy', 'degraded', 'healthy'];

/**
 * Creates the probes of a group: it is ready if one of its processes is ready, and has the health of the least healthy
 * process that responds.
 */
export function createGroupProbes(ask: AskAll, isDraining: () => boolean): Probes {
  return {
    live: () => ({ status: 200, body: { status: 'alive', version: VERSION } }),
    async ready() {
      if (isDraining()) return { status: 503, body: { status: 'draining', version: VERSION } };
      // The first ready process determines the result, so a blocked one does not delay the probe.
      const answers = ask<ReadyAnswer>('ready').map(requireReady);
      return Promise.any(answers).catch(() => ({ status: 503, body: { status: 'not_ready', version: VERSION } }));
    },
    async health() {
      const answers = (await Promise.all(ask<ProbeAnswer<HealthReport>>('health'))).filter((one) => one !== undefined);
      const worst = SEVERITY.flatMap((status) => answers.find(({ body }) => body.status === status) ?? [])[0];
      return worst ?? { status: 503, body: { status: 'unhealthy', checks: {}, version: VERSION } };
    },
  };
}

type ReadyAnswer = Awaited<ReturnType<Probes['ready']>>;

async function requireReady(answering: Promise<ReadyAnswer | undefined>): Promise<ReadyAnswer> {
  const answer = await answering;
  if (answer?.status !== 200) throw new Error('not ready');
  return answer;
}
