import type { SliceMigrations } from '@steward/database';
import { createWatermark } from './0001_create_watermark.ts';
import { trackCoverage } from './0002_track_coverage.ts';
import { keepAgeBound } from './0003_keep_age_bound.ts';
import { compareGenerations } from './0004_compare_generations.ts';
import { forgetAccounts } from './0005_forget_accounts.ts';
import { sharePass } from './0006_share_pass.ts';

/**
 * Migrations of this context, listed by hand: the apps are bundled, so nothing can be read from a folder at run time.
 */
export const backfillMigrations: SliceMigrations = {
  schema: 'backfill',
  migrations: {
    '0001_create_watermark': createWatermark,
    '0002_track_coverage': trackCoverage,
    '0003_keep_age_bound': keepAgeBound,
    '0004_compare_generations': compareGenerations,
    '0005_forget_accounts': forgetAccounts,
    '0006_share_pass': sharePass,
  },
};
