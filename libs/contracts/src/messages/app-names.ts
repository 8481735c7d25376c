/** The processes of the suite, in the order they are started. Also their users at the broker. */
export const APP_NAMES = [
  'api-gateway',
  'search-indexer',
  'webhook-dispatcher',
  'flow-trigger',
  'backfill-sweeper',
] as const;

export type AppName = (typeof APP_NAMES)[number];
