import type { SessionListFilter } from '../sessions/store/find-session.store.ts';

/** What narrows a deletion of many sessions: as in their list. */
export type DeletionFilters = Pick<
  SessionListFilter,
  'active' | 'runtimePrincipalId' | 'flowId' | 'label' | 'since' | 'until'
>;

/** Who asked for a deletion, as the audit log names it. */
export interface DeletionActor {
  readonly kind: 'user' | 'api_key' | 'agent' | 'system';
  readonly id: string | null;
}

/** A deletion of many sessions as the operations answer it. */
export interface DeletionJob {
  readonly id: string;
  readonly accountId: string;
  readonly dryRun: boolean;
  /** Sessions that fit, so far. */
  readonly matched: number;
  /** None of a dry run. */
  readonly deleted: number;
  /** Fit and stay. */
  readonly keptLegalHold: number;
  readonly keptExecutionActive: number;
  readonly createdAt: Date;
  /** Null: under way. */
  readonly finishedAt: Date | null;
}
