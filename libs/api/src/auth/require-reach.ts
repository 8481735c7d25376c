import { AppError, type Principal } from '@steward/contracts';

/**
 * Refuses writes by a credential that is bound to one session, such as the credential of a running agent, except writes
 * to this session.
 * @param sessionId - session to which the request writes; undefined for any other write
 * @throws not_found for another session, permission_denied for any other write
 */
export function requireReach(principal: Principal, sessionId: string | undefined): void {
  const bound = principal.runtimeSessionId;
  if (bound === undefined || bound === sessionId) return;
  if (sessionId !== undefined) throw new AppError('not_found');
  throw new AppError('permission_denied', {
    message: 'The token of an execution can write only to its own session.',
    detail: { permission: 'manage_runtime_sessions' },
  });
}
