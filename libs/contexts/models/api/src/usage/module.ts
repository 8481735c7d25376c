import { tagRoutes } from '@steward/http';
import { onReplica, type Module, type ReplicaDeps } from '@steward/api';
import { createListUsageRoute } from './list-usage.ts';
import { createSummarizeUsageRoute } from './summarize-usage.ts';
import { createUsageRetention, type UsageRetentionDeps } from './usage-retention.ts';

/**
 * Creates the routes for the usage and cost of model calls, and the task that adds and drops partitions of usage rows.
 */
export function createUsageModule(
  deps: Parameters<typeof createSummarizeUsageRoute>[0] & ReplicaDeps & UsageRetentionDeps,
): Module {
  const routes = [onReplica(createListUsageRoute, deps), onReplica(createSummarizeUsageRoute, deps)];
  return { routes: tagRoutes('usage', routes), components: [createUsageRetention(deps)] };
}
