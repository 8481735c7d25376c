import { AppError, type Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { readRuntimeSession, type RuntimeSession } from '@steward/sessions';

/**
 * Returns the session of a call: a running agent has its own session and may name no other; other callers may name any
 * session of the account, or none.
 * @throws not_found
 */
export async function requireSessionFound(
  db: AnyDatabase,
  { accountId, runtimeSessionId }: Principal,
  named: string | undefined,
): Promise<RuntimeSession | undefined> {
  if (runtimeSessionId !== undefined && named !== undefined && named !== runtimeSessionId)
    throw new AppError('not_found');
  const sessionId = runtimeSessionId ?? named;
  if (sessionId === undefined) return undefined;
  const session = await readRuntimeSession(db, { accountId, sessionId });
  if (session === undefined) throw new AppError('not_found', { detail: { field: 'runtime_session_id' } });
  return session;
}
