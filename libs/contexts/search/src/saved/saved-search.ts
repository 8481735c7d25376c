import type { SearchMode } from '@steward/contracts';
import type { ChunkFilter } from '../keyword/chunk-filter.ts';

/** Visibility of a saved search: to its owner only, or to the account. */
export const SAVED_SEARCH_VISIBILITIES = ['private', 'account'] as const;

export type SavedSearchVisibility = (typeof SAVED_SEARCH_VISIBILITIES)[number];

/** Fields that the owner sets. */
export interface SavedSearchFields {
  /** Name of the search, unique per owner. */
  readonly name: string;
  readonly query: string;
  readonly mode: SearchMode;
  readonly filter: ChunkFilter;
  readonly maxSnippetsPerSession: number;
  readonly includeSnippetText: boolean;
  readonly visibility: SavedSearchVisibility;
}

/** Changes to a saved search; an undefined field is not changed. */
export type SavedSearchPatch = { readonly [Key in keyof SavedSearchFields]?: SavedSearchFields[Key] | undefined };

export interface SavedSearch extends SavedSearchFields {
  readonly id: string;
  readonly ownerId: string;
  /** Time when the search was shared; null while it is private. */
  readonly sharedAt: Date | null;
  /** String that identifies the ranking that was in force when the search was last saved. */
  readonly rankingIdentity: string;
  readonly lastRunAt: Date | null;
  readonly runCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The caller, who sees their own searches and the shared ones of other users. */
export interface SavedSearchViewer {
  readonly accountId: string;
  readonly viewerId: string;
}
