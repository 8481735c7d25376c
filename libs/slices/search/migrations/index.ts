import type { SliceMigrations } from '@steward/database';
import { createChunk } from './0001_create_chunk.ts';
import { keepChunksInline } from './0002_keep_chunks_inline.ts';
import { indexMetadataOnly } from './0003_index_metadata_only.ts';
import { assumeLargeAccounts } from './0004_assume_large_accounts.ts';

/** Listed by hand: the apps are bundled, so nothing can be read from a folder at run time. */
export const searchMigrations: SliceMigrations = {
  schema: 'search',
  migrations: {
    '0001_create_chunk': createChunk,
    '0002_keep_chunks_inline': keepChunksInline,
    '0003_index_metadata_only': indexMetadataOnly,
    '0004_assume_large_accounts': assumeLargeAccounts,
  },
};
