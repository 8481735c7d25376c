import { tagRoutes } from '@steward/http';
import type { Module } from '@steward/api';
import { createReadBackfillRoute, type BackfillDeps } from './backfill/read-backfill.ts';
import type { EmbeddingDeps } from './embedding/embedding-deps.ts';
import { createReadEmbeddingSettingRoute } from './embedding/read-embedding-setting.ts';
import { createSaveEmbeddingSettingRoute } from './embedding/save-embedding-setting.ts';
import { createReadGrantsRoute } from './grants/read-grants.ts';
import { createSaveGrantsRoute } from './grants/save-grants.ts';
import { createCredentialSightingsRoute } from './list-credential-sightings.ts';
import { createCreateSavedSearchRoute } from './saved/create-saved-search.ts';
import { createDeleteSavedSearchRoute } from './saved/delete-saved-search.ts';
import { createListSavedSearchesRoute } from './saved/list-saved-searches.ts';
import { createReadSavedSearchRoute } from './saved/read-saved-search.ts';
import { createRunSavedSearchRoute } from './saved/run-saved-search.ts';
import { createUpdateSavedSearchRoute } from './saved/update-saved-search.ts';
import type { SearchDeps } from './search-deps.ts';
import { createSearchRoute } from './search-sessions.ts';
import { createSimilarSessionsRoute } from './similar/list-similar-sessions.ts';

/** Creates the module with the search routes. */
export function createSearchModule(deps: SearchDeps & EmbeddingDeps & BackfillDeps): Module {
  const routes = tagRoutes('session search', [
    createSearchRoute(deps),
    createCredentialSightingsRoute(deps),
    createSimilarSessionsRoute(deps),
    createReadBackfillRoute(deps),
    createReadEmbeddingSettingRoute(deps),
    createSaveEmbeddingSettingRoute(deps),
    createCreateSavedSearchRoute(deps),
    createListSavedSearchesRoute(deps),
    createReadSavedSearchRoute(deps),
    createUpdateSavedSearchRoute(deps),
    createDeleteSavedSearchRoute(deps),
    createRunSavedSearchRoute(deps),
    // In other editions, these paths do not exist.
    ...(deps.settings.edition === 'enterprise' ? [createReadGrantsRoute(deps), createSaveGrantsRoute(deps)] : []),
  ]);
  return { routes, components: [] };
}
