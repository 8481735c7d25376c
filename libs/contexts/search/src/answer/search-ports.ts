import type { CancellableOptions, Replica } from '@steward/database';
import type { TimeRange } from '../corpus/store/indexed-window.store.ts';
import type { SemanticPorts } from '../semantic/semantic-ports.ts';
import type { SearchCall } from './search-request.ts';

/**
 * Ports to other contexts. Sessions, agents, coverage and the audit log belong to other contexts, some of which depend
 * on this one; therefore, they are injected as functions.
 */
export interface SearchPorts extends SemanticPorts {
  readonly timeoutMs: number;
  readSessionHeadings(key: {
    readonly accountId: string;
    readonly sessionIds: readonly string[];
  }): Promise<ReadonlyMap<string, SearchedSession>>;
  /** Returns all ids of an agent in the account: the given id, and those of agents merged into it. */
  listAgentIds(key: { readonly accountId: string; readonly id: string }): Promise<readonly string[]>;
  /** Returns the sessions that a string identifies exactly, and the sessions in `sessionIds`. */
  findSessionsByIdentifier(key: {
    readonly accountId: string;
    readonly text: string;
    readonly limit: number;
    readonly sessionIds?: readonly string[];
  }): Promise<readonly IdentifiedSession[]>;
  /**
   * Reads the coverage of the corpus.
   * @throws OutOfTimeError if the time budget is exceeded
   */
  readCoverage(
    key: { readonly accountId: string; readonly range: TimeRange },
    options: CancellableOptions,
  ): Promise<CorpusCoverage>;
  /** Writes a row to the audit log; resolves when the row is committed. */
  recordAudit(entry: SearchAuditEntry): Promise<void>;
  /**
   * Replica whose ports serve a search if the replica contains everything that was committed before the search; if not,
   * the other ports serve it.
   */
  readonly replica?: (Pick<Replica, 'answer'> & { readonly ports: ReadingPorts }) | undefined;
}

/** Ports that only read. */
export type ReadingPorts = Pick<
  SearchPorts,
  'db' | 'pools' | 'readSessionHeadings' | 'listAgentIds' | 'findSessionsByIdentifier' | 'readCoverage'
>;

/** A session as shown in a list. */
export interface SearchedSession {
  readonly id: string;
  readonly sessionSourceType: string;
  readonly sessionSourceId: string;
  readonly sessionReference: string | null;
  readonly title: string | null;
  readonly startedAt: Date;
  readonly lastActivityAt: Date;
  readonly endedAt: Date | null;
}

/** A session with the fields to which the filters of a search apply. */
export interface IdentifiedSession extends SearchedSession {
  readonly flowId: string | null;
  readonly apiKeyId: string | null;
  readonly runtimePrincipalId: string | null;
  readonly labels: readonly string[];
}

/** Coverage of an account's corpus. */
export interface CorpusCoverage {
  /**
   * Time from which the corpus is complete; it moves further back as the backfill proceeds. Null if there are no
   * chunks.
   */
  readonly indexedFrom: Date | null;
  /** Time of the newest chunk. Null if there are no chunks. */
  readonly indexedThrough: Date | null;
  readonly backfillState: 'not_started' | 'in_progress' | 'complete';
  readonly backfillComplete: boolean;
  /**
   * Times of the first and last content that was stored as metadata only, within the requested range; null if there is
   * none.
   */
  readonly metadataOnlyFrom: Date | null;
  readonly metadataOnlyThrough: Date | null;
  /** Number of sources in the requested range of which only head and tail are in the corpus, counted up to 1000. */
  readonly truncatedSources: number;
}

export interface SearchAuditEntry extends Omit<SearchCall, 'asked' | 'agent' | 'walPosition'> {
  readonly resourceId: null;
  readonly status: 'success' | 'denied' | 'failure';
  readonly details: Readonly<Record<string, unknown>>;
}
