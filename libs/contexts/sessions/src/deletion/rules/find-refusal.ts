import type { RuntimeSessionRow } from '../../schema.ts';

/** Reason why a session cannot be deleted. */
export type DeletionRefusal = 'legal_hold' | 'execution_active';

/** Properties that determine whether a session may be deleted. */
export type Deletable = Pick<RuntimeSessionRow, 'id' | 'legal_hold' | 'execution_id' | 'ended_at' | 'last_activity_at'>;

/**
 * Returns the reason why a session must not be deleted; undefined if it may be deleted. The session of an execution
 * ends with the execution; until then the execution and its agent write to the session.
 */
export function findRefusal(
  session: Pick<Deletable, 'legal_hold' | 'execution_id' | 'ended_at'>,
): DeletionRefusal | undefined {
  if (session.legal_hold) return 'legal_hold';
  return session.execution_id !== null && session.ended_at === null ? 'execution_active' : undefined;
}
