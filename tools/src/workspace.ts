import { resolve } from 'node:path';
import { APP_NAMES, type AppName } from '@steward/contracts';

export const WORKSPACE_ROOT = resolve(import.meta.dirname, '../..');

/** Processes of the suite, in the order in which they are started. */
export const APPS = APP_NAMES;

export type { AppName };
