import type { AppError, Principal } from '@steward/contracts';
import type { AuditFact, AuditRecord } from '@steward/http';
import type { ReadAudits } from './read-audits.ts';

export interface ReadDeps {
  readonly readAudits: ReadAudits;
}

/** Kind of the data that was read from a session or a run, as named in audit rows. */
export type ReadKind = 'timeline' | 'export' | 'logs' | 'evidence';

interface Read {
  readonly what: ReadKind;
  readonly resourceId: string;
  readonly principal: Principal;
  /** Builds the audit row, with the action and the resource type of the route. */
  readonly audit: (fact: AuditFact) => AuditRecord;
}

/** Records a read, unless a running agent reads its own data (ACC-43). */
export async function noteRead({ readAudits }: ReadDeps, { what, resourceId, principal, audit }: Read): Promise<void> {
  const { runtimeSessionId, executionId } = principal;
  if (resourceId === runtimeSessionId || resourceId === executionId) return;
  await readAudits.note(audit({ resourceId, details: { what, ...describeReader(principal) } }));
}

/** Returns the owner, the agent and the execution of a key; an empty object for a user, who is already the actor. */
function describeReader({ kind, userId, apiKeyId, runtimePrincipal, executionId }: Principal) {
  if (kind === 'user') return {};
  return {
    ...(userId === apiKeyId ? {} : { user_id: userId }),
    ...(runtimePrincipal === undefined ? {} : { agent: { type: runtimePrincipal.type, id: runtimePrincipal.id } }),
    ...(executionId === undefined ? {} : { execution_id: executionId }),
  };
}

/** Returns the function that a route calls when it refuses a read: a refusal with status 403 creates a row. */
export function noteDenied({ readAudits }: ReadDeps, what: ReadKind) {
  return async ({ error, audit }: { readonly error: AppError; readonly audit: Read['audit'] }): Promise<void> => {
    if (error.status !== 403) return;
    const { permission } = error.detail;
    const details = { what, error_code: error.code, ...(permission === undefined ? {} : { permission }) };
    await readAudits.note(audit({ resourceId: null, status: 'denied', details }));
  };
}
