import { resolve } from 'node:path';

export const WORKSPACE_ROOT = resolve(import.meta.dirname, '../..');

/** The processes of the suite, in the order they are started. */
export const APPS = [
  'api-gateway',
  'search-indexer',
  'webhook-dispatcher',
  'flow-trigger',
  'backfill-sweeper',
] as const;

export type AppName = (typeof APPS)[number];
