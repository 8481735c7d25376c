import type { AuditResourceType, SearchMode } from '@steward/contracts';
import type { ChunkFilter } from '../keyword/chunk-filter.ts';

/** A search request from any surface; missing fields have defaults. */
export interface SearchRequest {
  readonly query: string;
  readonly mode?: SearchMode | undefined;
  readonly filter?: ChunkFilter | undefined;
  /** Sessions per page. */
  readonly limit?: number | undefined;
  /** Must not be combined with `cursor`. */
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
  readonly maxSnippetsPerSession?: number | undefined;
  readonly includeSnippetText?: boolean | undefined;
  readonly explain?: boolean | undefined;
}

/** The caller of a search, its surface, and its name in the audit log. */
export interface SearchCall {
  readonly accountId: string;
  readonly actor: { readonly kind: 'user' | 'api_key' | 'agent' | 'anonymous'; readonly id: string | null };
  readonly source: 'console' | 'mcp';
  readonly action: string;
  readonly resourceType: AuditResourceType;
  readonly requestId: string;
  readonly asked: AskedSearch;
  /** Set for an agent's search; a person's search covers the account. */
  readonly agent?: SearchingAgent | undefined;
  /** Position that a replica must have reached to serve the search; without one the primary serves it. */
  readonly walPosition?: string | null | undefined;
}

/** A searching agent, identified by its credential and never by its own claims. */
export interface SearchingAgent {
  /** Its own sessions, or, with a grant, those of its account. */
  readonly scope: 'own' | 'account';
  readonly apiKeyId: string | undefined;
  /** The binding of its credential. */
  readonly runtimePrincipal: { readonly type: string; readonly id: string } | undefined;
}

/** Facts that a surface has about a request, valid or not. */
export interface AskedSearch {
  /** Undefined if there is none. */
  readonly query: string | undefined;
  /** Its mode and filter names, as used by the surface; empty if it is not a search. */
  readonly details: {
    readonly mode?: SearchMode;
    readonly filters?: readonly string[];
    /** The saved search that it runs. */
    readonly saved_search_id?: string;
  };
}
