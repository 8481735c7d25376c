import type { Permission } from '@steward/contracts';
import { defineRoute, isSenderGone, type Route } from '@steward/http';
import { AppError } from '@steward/runtime';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { answerSearch } from './answer-search.ts';
import { auditSearch, describeRequest } from './audit-search.ts';
import { SearchAnswer, SearchBody } from './search-schemas.ts';

export function createSearchRoute(deps: GatewayDeps): Route {
  const permissions: Permission[] =
    deps.settings.edition === 'enterprise'
      ? ['view_runtime_sessions', 'search_session_content']
      : ['view_runtime_sessions'];
  return defineRoute({
    method: 'post',
    path: '/api/v1/runtime-sessions/search',
    auth: 'bearer',
    permissions,
    tag: 'session search',
    summary: 'Search the content of runtime sessions.',
    body: SearchBody,
    responses: {
      200: { description: 'A page of sessions, best first, and what the corpus covers.', schema: SearchAnswer },
    },
    onRefused: async ({ principal, error, requestId, body }) => {
      const { query, details } = describeRequest(body);
      const { permission } = error.detail;
      await auditSearch(deps, {
        principal,
        requestId,
        status: permission === undefined ? 'failure' : 'denied',
        query,
        details: {
          ...details,
          error_code: isSenderGone(error) ? 'client_gone' : error.code,
          ...(permission === undefined ? {} : { permission }),
        },
      });
    },
    handler: async ({ body, principal, requestId, signal, logger }) => {
      const startedAt = performance.now();
      const { query, details } = describeRequest(body);
      try {
        const answer = await answerSearch(deps, { body, principal, signal, startedAt });
        const facts = {
          ...details,
          effective_mode: answer.effective_mode,
          result_count: answer.results.length,
          total_matched: answer.total,
        };
        await auditSearch(deps, { principal, requestId, status: 'success', query, details: facts });
        logger.info('search.answered', {
          account_id: principal.accountId,
          duration_ms: answer.elapsed_ms,
          outcome: 'ok',
          ...facts,
        });
        return { status: 200, body: answer };
      } catch (error) {
        const code = signal.aborted ? 'client_gone' : error instanceof AppError ? error.code : 'internal';
        await auditSearch(deps, {
          principal,
          requestId,
          status: 'failure',
          query,
          details: { ...details, error_code: code },
        });
        throw error;
      }
    },
  });
}
