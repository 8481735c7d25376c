import type { AuditResourceType, SearchMode } from '@steward/contracts';
import type { ChunkFilter } from '../keyword/chunk-filter.ts';

/** A search request from any surface; missing fields have defaults. */
export interface SearchRequest {
  readonly query: string;
  readonly mode?: SearchMode | undefined;
  readonly filter?: ChunkFilter | undefined;
  /** Number of sessions per page. */
  readonly limit?: number | undefined;
  /** Number of sessions before the page; must not be combined with `cursor`. */
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
  readonly maxSnippetsPerSession?: number | undefined;
  readonly includeSnippetText?: boolean | undefined;
  readonly explain?: boolean | undefined;
}

/** The caller of a search, the surface that it uses, and the data of the audit row. */
export interface SearchCall {
  readonly accountId: string;
  readonly actor: { readonly kind: 'user' | 'api_key' | 'agent' | 'anonymous'; readonly id: string | null };
  readonly source: 'console' | 'mcp';
  readonly action: string;
  readonly resourceType: AuditResourceType;
  readonly requestId: string;
  readonly asked: AskedSearch;
  /** Set for an agent's search; a person's search always covers the account. */
  readonly agent?: SearchingAgent | undefined;
  /**
   * Position that a replica must have reached to serve the search. If undefined, the current position of the primary is
   * used; if null, the primary serves the search.
   */
  readonly walPosition?: string | null | undefined;
}

/** A searching agent, identified by its credential and never by its own claims. */
export interface SearchingAgent {
  /** Whether it searches only its own sessions or, with a grant, those of its account. */
  readonly scope: 'own' | 'account';
  readonly apiKeyId: string | undefined;
  /** The agent or other identity to which its credential is bound. */
  readonly runtimePrincipal: { readonly type: string; readonly id: string } | undefined;
}

/** Facts that a surface knows about a request, whether or not the request is valid. */
export interface AskedSearch {
  /** The query as sent; undefined if there is none. */
  readonly query: string | undefined;
  /**
   * The mode of the search and the names of its filters, as the surface names them; empty if the request is not a
   * search.
   */
  readonly details: {
    readonly mode?: SearchMode;
    readonly filters?: readonly string[];
    /** Id of the saved search that is run. */
    readonly saved_search_id?: string;
  };
}
