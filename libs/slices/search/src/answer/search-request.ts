import type { AuditResourceType, SearchMode } from '@steward/contracts';
import type { ChunkFilter } from '../keyword/chunk-filter.ts';

/** A search as any door hands it over; what it leaves out has a default. */
export interface SearchRequest {
  readonly query: string;
  readonly mode?: SearchMode | undefined;
  readonly filter?: ChunkFilter | undefined;
  /** Sessions of a page. */
  readonly limit?: number | undefined;
  /** Not together with `cursor`. */
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
  readonly maxSnippetsPerSession?: number | undefined;
  readonly includeSnippetText?: boolean | undefined;
  readonly explain?: boolean | undefined;
}

/** Who searches, through which door, and what this is called in the audit log. */
export interface SearchCall {
  readonly accountId: string;
  readonly actor: { readonly kind: 'user' | 'api_key' | 'agent' | 'anonymous'; readonly id: string | null };
  readonly source: 'console' | 'mcp';
  readonly action: string;
  readonly resourceType: AuditResourceType;
  readonly requestId: string;
  readonly asked: AskedSearch;
  /** Of an agent's search; a person's is of the account. */
  readonly agent?: SearchingAgent | undefined;
}

/** An agent that searches, known by its credential and never by what it says of itself. */
export interface SearchingAgent {
  /** Its own sessions, or with a grant those of its account. */
  readonly scope: 'own' | 'account';
  readonly apiKeyId: string | undefined;
  /** What its credential is bound to. */
  readonly runtimePrincipal: { readonly type: string; readonly id: string } | undefined;
}

/** What a door can tell of a request as it came, valid or not. */
export interface AskedSearch {
  /** Undefined when there is none. */
  readonly query: string | undefined;
  /** Its mode and the names of its filters, as the door calls them; empty for what is no search at all. */
  readonly details: {
    readonly mode?: SearchMode;
    readonly filters?: readonly string[];
    /** The saved search it is a run of. */
    readonly saved_search_id?: string;
  };
}
