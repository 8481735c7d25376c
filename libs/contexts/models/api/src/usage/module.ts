import { tagRoutes } from '@steward/http';
import type { Module } from '@steward/api';
import { createListUsageRoute } from './list-usage.ts';
import { createSummarizeUsageRoute } from './summarize-usage.ts';

/** Usage and cost of model calls. */
export function createUsageModule(deps: Parameters<typeof createSummarizeUsageRoute>[0]): Module {
  return { routes: tagRoutes('usage', [createListUsageRoute(deps), createSummarizeUsageRoute(deps)]), components: [] };
}
