import type { SliceMigrations } from '@steward/database';
import { grantSchema } from './0001_grant_schema.ts';
import { createAiModel } from './0002_create_ai_model.ts';
import { createUsage } from './0003_create_usage.ts';
import { indexUsage } from './0004_index_usage.ts';
import { takeCostsOfProviders } from './0005_take_costs_of_providers.ts';
import { createBackgroundResponse } from './0006_create_background_response.ts';
import { countChanges } from './0007_count_changes.ts';
import { boundUsage } from './0008_bound_usage.ts';
import { validateUsageBound } from './0009_validate_usage_bound.ts';
import { partitionUsage } from './0010_partition_usage.ts';
import { noteCallerChange } from './0011_note_caller_change.ts';

/**
 * Migrations of this context, listed by hand: the apps are bundled, so nothing can be read from a folder at run time.
 */
export const modelsMigrations: SliceMigrations = {
  schema: 'models',
  migrations: {
    '0001_grant_schema': grantSchema,
    '0002_create_ai_model': createAiModel,
    '0003_create_usage': createUsage,
    '0004_index_usage': indexUsage,
    '0005_take_costs_of_providers': takeCostsOfProviders,
    '0006_create_background_response': createBackgroundResponse,
    '0007_count_changes': countChanges,
    '0008_bound_usage': boundUsage,
    '0009_validate_usage_bound': validateUsageBound,
    '0010_partition_usage': partitionUsage,
    '0011_note_caller_change': noteCallerChange,
  },
};
