import { createHash } from 'node:crypto';
import type { Principal } from '@steward/http';
import { recordAudit } from '@steward/slice-gateway';
import { describeActor } from '../../auth/describe-actor.ts';
import type { GatewayDeps } from '../../gateway-deps.ts';

export interface SearchAuditFacts {
  readonly principal: Principal;
  readonly requestId: string;
  readonly status: 'success' | 'denied' | 'failure';
  /** Normalised; only its hash is kept. */
  readonly query?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** One row per search, answered or refused (interface.md, authentication). The query text itself is not stored. */
export async function auditSearch(deps: Pick<GatewayDeps, 'db' | 'logger'>, facts: SearchAuditFacts): Promise<void> {
  const { principal, requestId, status, query, details } = facts;
  try {
    await recordAudit(deps.db, {
      accountId: principal.accountId,
      actor: describeActor(principal),
      source: 'console',
      action: 'query',
      resourceType: 'session_search',
      resourceId: null,
      status,
      details: {
        ...(query === undefined ? {} : { query_hash: hashQuery(query), query_chars: query.length }),
        ...details,
      },
      requestId,
    });
  } catch (error) {
    // The answer stands; a search that left no trace is something a person has to look at.
    deps.logger.error('search.audit_failed', { request_id: requestId, error });
  }
}

/** sha256 over the case-folded normalised query: the same question is recognised, the words are not readable. */
export function hashQuery(query: string): string {
  return `sha256:${createHash('sha256').update(query.toLowerCase()).digest('hex')}`;
}
