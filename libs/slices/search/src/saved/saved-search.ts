import type { SearchMode } from '@steward/contracts';
import type { ChunkFilter } from '../keyword/chunk-filter.ts';

/** Who sees a saved search: its owner alone, or the account. */
export const SAVED_SEARCH_VISIBILITIES = ['private', 'account'] as const;

export type SavedSearchVisibility = (typeof SAVED_SEARCH_VISIBILITIES)[number];

/** What its owner says of it. */
export interface SavedSearchFields {
  /** Unique among those of its owner. */
  readonly name: string;
  readonly query: string;
  readonly mode: SearchMode;
  readonly filter: ChunkFilter;
  readonly maxSnippetsPerSession: number;
  readonly includeSnippetText: boolean;
  readonly visibility: SavedSearchVisibility;
}

/** What a save changes; undefined leaves a field alone. */
export type SavedSearchPatch = { readonly [Key in keyof SavedSearchFields]?: SavedSearchFields[Key] | undefined };

export interface SavedSearch extends SavedSearchFields {
  readonly id: string;
  readonly ownerId: string;
  /** Null while it is private. */
  readonly sharedAt: Date | null;
  /** Of the ranking in force when it was saved last. */
  readonly rankingIdentity: string;
  readonly lastRunAt: Date | null;
  readonly runCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Who looks: saved searches of others are seen once they are shared. */
export interface SavedSearchViewer {
  readonly accountId: string;
  readonly viewerId: string;
}
