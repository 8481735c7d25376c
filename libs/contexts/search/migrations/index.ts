import type { SliceMigrations } from '@steward/database';
import { createChunk } from './0001_create_chunk.ts';
import { keepChunksInline } from './0002_keep_chunks_inline.ts';
import { indexMetadataOnly } from './0003_index_metadata_only.ts';
import { assumeLargeAccounts } from './0004_assume_large_accounts.ts';
import { noteCredentials } from './0005_note_credentials.ts';
import { confineSightings } from './0006_confine_sightings.ts';
import { confineWorker } from './0007_confine_worker.ts';
import { indexApiKey } from './0008_index_api_key.ts';
import { createEmbeddingSetting } from './0009_create_embedding_setting.ts';
import { createVectors } from './0010_create_vectors.ts';
import { embedCorpora } from './0011_embed_corpora.ts';
import { createSavedSearch } from './0012_create_saved_search.ts';
import { dropVectorsOfChangedTexts } from './0013_drop_vectors_of_changed_texts.ts';
import { labelSessions } from './0014_label_sessions.ts';
import { enrichWords } from './0015_enrich_words.ts';
import { hideDeletedSession } from './0016_hide_deleted_session.ts';
import { indexTails } from './0017_index_tails.ts';
import { noteEmbeddingUsage } from './0018_note_embedding_usage.ts';
import { foldWords } from './0019_fold_words.ts';
import { indexOlderWords } from './0020_index_older_words.ts';

/**
 * Migrations of this context, listed by hand: the apps are bundled, so nothing can be read from a folder at run time.
 */
export const searchMigrations: SliceMigrations = {
  schema: 'search',
  migrations: {
    '0001_create_chunk': createChunk,
    '0002_keep_chunks_inline': keepChunksInline,
    '0003_index_metadata_only': indexMetadataOnly,
    '0004_assume_large_accounts': assumeLargeAccounts,
    '0005_note_credentials': noteCredentials,
    '0006_confine_sightings': confineSightings,
    '0007_confine_worker': confineWorker,
    '0008_index_api_key': indexApiKey,
    '0009_create_embedding_setting': createEmbeddingSetting,
    '0010_create_vectors': createVectors,
    '0011_embed_corpora': embedCorpora,
    '0012_create_saved_search': createSavedSearch,
    '0013_drop_vectors_of_changed_texts': dropVectorsOfChangedTexts,
    '0014_label_sessions': labelSessions,
    '0015_enrich_words': enrichWords,
    '0016_hide_deleted_session': hideDeletedSession,
    '0017_index_tails': indexTails,
    '0018_note_embedding_usage': noteEmbeddingUsage,
    '0019_fold_words': foldWords,
    '0020_index_older_words': indexOlderWords,
  },
};
