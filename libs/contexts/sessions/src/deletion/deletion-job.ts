import type { SessionListFilter } from '../sessions/store/find-session.store.ts';

/** Filters of a deletion of many sessions, the same as in the list of sessions. */
export type DeletionFilters = Pick<
  SessionListFilter,
  'active' | 'runtimePrincipalId' | 'flowId' | 'label' | 'since' | 'until'
>;

/** The actor that requested a deletion, as named in the audit log. */
export interface DeletionActor {
  readonly kind: 'user' | 'api_key' | 'agent' | 'system';
  readonly id: string | null;
}

/** A deletion of many sessions, in the form in which the operations return it. */
export interface DeletionJob {
  readonly id: string;
  readonly accountId: string;
  readonly dryRun: boolean;
  /** Number of matching sessions so far. */
  readonly matched: number;
  /** Number of deleted sessions; 0 in a dry run. */
  readonly deleted: number;
  /** Number of matching sessions that were not deleted because they are under legal hold. */
  readonly keptLegalHold: number;
  readonly keptExecutionActive: number;
  readonly createdAt: Date;
  /** Time when the deletion finished; null while it is in progress. */
  readonly finishedAt: Date | null;
}
