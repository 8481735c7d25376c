import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger, type Metrics } from '@steward/process';
import { countSilentAgents } from '@steward/agents';

export interface SilentAgentsDeps {
  readonly db: AnyDatabase;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Creates the task that updates a gauge for operators: the number of active agents with a hook that call models without
 * permission checks (AGT-10).
 */
export function createSilentAgentsGauge({ db, logger, metrics }: SilentAgentsDeps): Component {
  const gauge = metrics.gauge(
    'steward_agents_not_asked',
    'Active agents with a hook, of all accounts, that call models but never ask for permission for tool calls.',
  );
  return createBackgroundTask({
    name: 'count silent agents',
    everySeconds: 60,
    logger,
    run: async () => gauge.set(await countSilentAgents(db)),
  });
}
