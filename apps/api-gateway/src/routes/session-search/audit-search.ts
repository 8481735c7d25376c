import { createHash } from 'node:crypto';
import type { Principal } from '@steward/http';
import { describeActor } from '../../auth/describe-actor.ts';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { cleanQuery } from './read-search-request.ts';
import { FILTER_NAMES, SEARCH_MODES } from './search-schemas.ts';

export interface SearchAuditFacts {
  readonly principal: Principal;
  readonly requestId: string;
  readonly status: 'success' | 'denied' | 'failure';
  /** Normalised; only its hash is kept. */
  readonly query: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** One row per search, answered or refused (interface.md, authentication). The query text itself is not stored. */
export async function auditSearch(
  deps: Pick<GatewayDeps, 'searchAudits' | 'logger'>,
  facts: SearchAuditFacts,
): Promise<void> {
  const { principal, requestId, status, query, details } = facts;
  try {
    await deps.searchAudits.record({
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

const MODES: ReadonlySet<unknown> = new Set(SEARCH_MODES);
const FILTERS: ReadonlySet<string> = new Set(FILTER_NAMES);

/** What the audit notes of a request, valid or not: the mode, the names of the filters set, and the query for its hash. */
export function describeRequest(body: unknown): RequestFacts {
  if (!isObject(body)) return { query: undefined, details: {} };
  const { query, mode = 'keyword', filters = {} } = body;
  const cleaned = typeof query === 'string' ? cleanQuery(query) : '';
  return {
    query: cleaned === '' ? undefined : cleaned,
    details: {
      ...(MODES.has(mode) ? { mode } : {}),
      // Names that are no filter may hold anything.
      filters: isObject(filters) ? Object.keys(filters).filter((name) => FILTERS.has(name)) : [],
    },
  };
}

interface RequestFacts {
  /** Normalised; undefined when the request has none. */
  readonly query: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
