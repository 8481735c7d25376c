import type { SliceMigrations } from '@steward/database';
import { createFlow } from './0001_create_flow.ts';
import { createExecution } from './0002_create_execution.ts';
import { limitAccount } from './0003_limit_account.ts';

/** Listed by hand: the apps are bundled, so nothing can be read from a folder at run time. */
export const flowsMigrations: SliceMigrations = {
  schema: 'flows',
  migrations: {
    '0001_create_flow': createFlow,
    '0002_create_execution': createExecution,
    '0003_limit_account': limitAccount,
  },
};
