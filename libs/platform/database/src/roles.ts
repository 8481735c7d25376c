/**
 * One database role per app. The migrations of each context grant each role exactly the privileges in the design's
 * table of contexts.
 */
export const APP_ROLES = {
  apiGateway: 'steward_api_gateway',
  searchIndexer: 'steward_search_indexer',
  webhookDispatcher: 'steward_webhook_dispatcher',
  flowTrigger: 'steward_flow_trigger',
  backfillSweeper: 'steward_backfill_sweeper',
} as const;

export type AppRole = (typeof APP_ROLES)[keyof typeof APP_ROLES];
