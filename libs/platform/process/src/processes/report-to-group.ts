import cluster from 'node:cluster';
import type { Metrics } from '../health/metrics.ts';
import type { Probes } from '../health/probes.ts';
import type { Component } from '../lifecycle/lifecycle.ts';
import { PROCESS_NUMBER, type ProcessMessage, type Question, type QuestionMessage } from './process-messages.ts';

/** Returns the number of this process in the group that started it; undefined for a process outside a group. */
export function readProcessNumber(environment: NodeJS.ProcessEnv): string | undefined {
  return cluster.isWorker ? environment[PROCESS_NUMBER] : undefined;
}

/**
 * Creates the component that reports to the parent process when this process has started, and responds to its queries
 * for health and metrics. It is started last.
 */
export function createGroupReporter({
  probes,
  metrics,
}: {
  readonly probes: Probes;
  readonly metrics: Metrics;
}): Component {
  async function find(question: Question): Promise<unknown> {
    if (question === 'live') return probes.live();
    if (question === 'metrics') return metrics.list();
    return probes[question]();
  }
  // A failure to send is ignored: it means that the group has ended, and this process then ends anyway.
  const send = (message: ProcessMessage): void => void process.send?.(message, undefined, {}, () => undefined);
  const answer = ({ id, question }: QuestionMessage): void =>
    void find(question).then(
      (found) => send({ kind: 'answer', id, answer: found }),
      () => send({ kind: 'answer', id, answer: undefined }),
    );
  return {
    name: 'group reporter',
    start() {
      process.on('message', answer);
      send({ kind: 'started' });
    },
  };
}
