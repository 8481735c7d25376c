import type { SliceMigrations } from '@steward/database';
import { grantSchema } from './0001_grant_schema.ts';
import { createTracker } from './0002_create_tracker.ts';
import { leaseHook } from './0003_lease_hook.ts';
import { countChanges } from './0004_count_changes.ts';
import { noteCallerChange } from './0005_note_caller_change.ts';

/**
 * Migrations of this context, listed by hand: the apps are bundled, so nothing can be read from a folder at run time.
 */
export const trackersMigrations: SliceMigrations = {
  schema: 'trackers',
  migrations: {
    '0001_grant_schema': grantSchema,
    '0002_create_tracker': createTracker,
    '0003_lease_hook': leaseHook,
    '0004_count_changes': countChanges,
    '0005_note_caller_change': noteCallerChange,
  },
};
