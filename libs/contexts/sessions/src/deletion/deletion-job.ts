import type { SessionListFilter } from '../sessions/store/find-session.store.ts';

/** Filters of a deletion of many sessions, as in their list. */
export type DeletionFilters = Pick<
  SessionListFilter,
  'active' | 'runtimePrincipalId' | 'flowId' | 'label' | 'since' | 'until'
>;

/** The requester of a deletion, as the audit log names it. */
export interface DeletionActor {
  readonly kind: 'user' | 'api_key' | 'agent' | 'system';
  readonly id: string | null;
}

/** A deletion of many sessions as the operations return it. */
export interface DeletionJob {
  readonly id: string;
  readonly accountId: string;
  readonly dryRun: boolean;
  /** Number of matching sessions so far. */
  readonly matched: number;
  /** Zero for a dry run. */
  readonly deleted: number;
  /** Matching sessions that were kept. */
  readonly keptLegalHold: number;
  readonly keptExecutionActive: number;
  readonly createdAt: Date;
  /** Null: in progress. */
  readonly finishedAt: Date | null;
}
