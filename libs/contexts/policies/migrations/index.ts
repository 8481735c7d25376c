import type { SliceMigrations } from '@steward/database';
import { createPolicyVersion } from './0001_create_policy_version.ts';
import { createBacktest } from './0002_create_backtest.ts';
import { createRecentCall } from './0003_create_recent_call.ts';
import { countRules } from './0004_count_rules.ts';
import { noteCallerChange } from './0005_note_caller_change.ts';

/**
 * Migrations of this context, listed by hand: the apps are bundled, so nothing can be read from a folder at run time.
 */
export const policiesMigrations: SliceMigrations = {
  schema: 'policies',
  migrations: {
    '0001_create_policy_version': createPolicyVersion,
    '0002_create_backtest': createBacktest,
    '0003_create_recent_call': createRecentCall,
    '0004_count_rules': countRules,
    '0005_note_caller_change': noteCallerChange,
  },
};
