import { setting } from '@steward/process';

/** Settings of every process that stores content in the corpus. */
export const indexSettings = {
  searchIndexEnabled: setting.boolean('SESSION_SEARCH_INDEX_ENABLED', {
    default: true,
    description: 'Whether chunks are written when content is stored.',
  }),
} as const;
