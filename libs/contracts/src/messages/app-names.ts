/** Processes of the suite, in start order. These names are also the user names of the apps at the broker. */
export const APP_NAMES = [
  'api-gateway',
  'search-indexer',
  'webhook-dispatcher',
  'flow-trigger',
  'backfill-sweeper',
] as const;

export type AppName = (typeof APP_NAMES)[number];
