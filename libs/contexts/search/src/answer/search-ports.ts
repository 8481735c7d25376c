import type { CancellableOptions, Replica } from '@steward/database';
import type { TimeRange } from '../corpus/store/indexed-window.store.ts';
import type { SemanticPorts } from '../semantic/semantic-ports.ts';
import type { SearchCall } from './search-request.ts';

/**
 * Ports to other contexts. Sessions, coverage and the audit log belong to contexts that depend on this one, so they are
 * injected as functions.
 */
export interface SearchPorts extends SemanticPorts {
  readonly timeoutMs: number;
  readSessionHeadings(key: {
    readonly accountId: string;
    readonly sessionIds: readonly string[];
  }): Promise<ReadonlyMap<string, SearchedSession>>;
  /** All ids of an agent in the account, including agents merged into it and the id itself. */
  listAgentIds(key: { readonly accountId: string; readonly id: string }): Promise<readonly string[]>;
  /** The sessions that a string names exactly, and those of `sessionIds`. */
  findSessionsByIdentifier(key: {
    readonly accountId: string;
    readonly text: string;
    readonly limit: number;
    readonly sessionIds?: readonly string[];
  }): Promise<readonly IdentifiedSession[]>;
  /** @throws OutOfTimeError past the budget */
  readCoverage(
    key: { readonly accountId: string; readonly range: TimeRange },
    options: CancellableOptions,
  ): Promise<CorpusCoverage>;
  /** Resolves when the row is committed. */
  recordAudit(entry: SearchAuditEntry): Promise<void>;
  /** Serves searches instead of the other ports as soon as it contains everything committed before them. */
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

/** Fields that search filters compare. */
export interface IdentifiedSession extends SearchedSession {
  readonly flowId: string | null;
  readonly apiKeyId: string | null;
  readonly runtimePrincipalId: string | null;
  readonly labels: readonly string[];
}

/** Coverage of an account's corpus. */
export interface CorpusCoverage {
  /**
   * The corpus is complete from this time on; the time moves backwards as the backfill proceeds. Null if there are no
   * chunks.
   */
  readonly indexedFrom: Date | null;
  /** Time of the newest chunk. Null if there are no chunks. */
  readonly indexedThrough: Date | null;
  readonly backfillState: 'not_started' | 'in_progress' | 'complete';
  readonly backfillComplete: boolean;
  /**
   * First and last content of the requested range with only metadata; null if the bodies of all content were captured.
   */
  readonly metadataOnlyFrom: Date | null;
  readonly metadataOnlyThrough: Date | null;
  /** Sources of the requested range with only head and tail in the corpus, counted up to 1000. */
  readonly truncatedSources: number;
}

export interface SearchAuditEntry extends Omit<SearchCall, 'asked' | 'agent' | 'walPosition'> {
  readonly resourceId: null;
  readonly status: 'success' | 'denied' | 'failure';
  readonly details: Readonly<Record<string, unknown>>;
}
