import { AppError, isFresh, type Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { isUuid } from '@steward/crypto';
import { findAgent } from '@steward/agents';
import { findExecution } from '@steward/flows';
import { findApiKey, MANAGED_AGENT } from '@steward/identity';
import type { RuntimeSession } from '@steward/sessions';
import type { CallContext, ToolCall } from './tool-call.ts';
import { requireSessionFound } from './require-session.ts';

type CallerFacts = Pick<
  ToolCall,
  'accountId' | 'context' | 'requesterUserId' | 'agent' | 'apiKey' | 'session' | 'user' | 'execution'
>;

/**
 * Describes the caller of a call, according to its credential. The caller may name a session and an execution of its
 * account; the agent of a running execution may name only that execution, or none. Policies see an execution only if
 * the credential belongs to it, and a session only if the caller may read it: otherwise the caller could name an
 * execution or a session that a rule allows.
 *
 * @throws not_found
 */
export async function describeCaller(
  db: AnyDatabase,
  principal: Principal,
  named: CallContext = { sessionId: undefined, executionId: undefined },
): Promise<CallerFacts> {
  const { accountId, userId, username, apiKeyId, runtimePrincipal, executionId } = principal;
  // The credential of a run has no stored key, and does not belong to a person.
  const isRun = executionId !== undefined;
  const [session, apiKey, agent] = await Promise.all([
    requireSessionFound(db, principal, named.sessionId),
    isRun || apiKeyId === undefined ? undefined : findKey(db, principal, apiKeyId),
    isRun || runtimePrincipal === undefined ? undefined : describeAgent(db, accountId, runtimePrincipal),
  ]);
  const run = await findRun(db, accountId, own(executionId, named.executionId));
  return {
    accountId,
    requesterUserId: userId,
    context: { sessionId: session?.id, executionId: run?.id },
    ...(session === undefined || !isOwn(session, principal)
      ? {}
      : { session: { id: session.id, sourceType: session.sessionSourceType } }),
    ...(run === undefined || !isRun ? {} : { execution: run }),
    ...(apiKey === undefined ? {} : { apiKey: { id: apiKey.id, name: apiKey.name } }),
    ...(isRun ? {} : { user: { id: userId, username } }),
    ...(agent === undefined ? {} : { agent }),
  };
}

/** Finds the key with its name, because policies may match the name. */
async function findKey(
  db: AnyDatabase,
  principal: Principal,
  id: string,
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  const { accountId, apiKeyName: name } = principal;
  return name !== undefined && isFresh(principal) ? { id, name } : findApiKey(db, { accountId }, id);
}

/** Returns the agent's registry entry; for an unregistered agent, the data of its key. */
async function describeAgent(
  db: AnyDatabase,
  accountId: string,
  { id, type, name }: NonNullable<Principal['runtimePrincipal']>,
) {
  const agent = type === MANAGED_AGENT && isUuid(id) ? await findAgent(db, { accountId, id }) : undefined;
  if (agent === undefined) return { id, kind: type, name: name ?? id, tags: [] };
  return { id, kind: agent.agentKind, name: agent.displayName, tags: agent.tags };
}

function own(proven: string | undefined, named: string | undefined): string | undefined {
  if (proven !== undefined && named !== undefined && named !== proven) throw new AppError('not_found');
  return proven ?? named;
}

/**
 * Returns true if the caller may read the session. An agent may read its own sessions, an API key may read the sessions
 * that belong to the key, and a person with the permission `view_runtime_sessions` may read all sessions.
 */
function isOwn(session: RuntimeSession, principal: Principal): boolean {
  const { runtimeSessionId, runtimePrincipal, apiKeyId, permissions } = principal;
  if (session.id === runtimeSessionId) return true;
  if (runtimePrincipal !== undefined)
    return session.runtimePrincipalType === runtimePrincipal.type && session.runtimePrincipalId === runtimePrincipal.id;
  if (apiKeyId !== undefined) return session.apiKeyId === apiKeyId;
  return permissions.has('view_runtime_sessions');
}

async function findRun(db: AnyDatabase, accountId: string, executionId: string | undefined) {
  if (executionId === undefined) return undefined;
  const run = await findExecution(db, accountId, executionId);
  if (run === undefined) throw new AppError('not_found', { detail: { field: 'execution_id' } });
  return { id: run.id, flowId: run.flow_id, flowName: run.flow_name };
}
