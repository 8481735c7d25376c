import { AGENT_KINDS, AppError } from '@steward/contracts';
import { defineRoute, type AnswerBody, type Route } from '@steward/http';
import type { Excerpt, SimilarAnswer, SimilarSession } from '@steward/search';
import { SessionParams, listSearchPermissions, presentHeading, presentPlace } from '@steward/api';
import { recordQuestion } from '../record-question.ts';
import type { SearchDeps } from '../search-deps.ts';
import { SimilarAnswerSchema, SimilarQuery } from './similar-schemas.ts';

const DAY_MS = 86_400_000;
const DEFAULT_LIMIT = 10;

type Deps = Pick<SearchDeps, 'clock' | 'findSimilar' | 'searchAudits' | 'settings' | 'logger'>;

/** Handles GET /api/v1/runtime-sessions/{session_id}/similar. Uses existing vectors, so no provider is called. */
export function createSimilarSessionsRoute(deps: Deps): Route {
  return defineRoute({
    operationId: 'listSimilarSessions',
    method: 'get',
    path: '/api/v1/runtime-sessions/{session_id}/similar',
    openTo: AGENT_KINDS,
    permissions: listSearchPermissions(deps),
    summary: 'Find similar sessions, most similar first.',
    params: SessionParams,
    query: SimilarQuery,
    responses: {
      200: {
        description:
          'Similar sessions with their similar parts; an empty list, with the reason, if no comparison is possible.',
        name: 'SimilarSessions',
        schema: SimilarAnswerSchema,
      },
    },
    audit: { action: 'query', resourceType: 'similar_session' },
    onRefused: ({ error, audit }) => {
      const { permission } = error.detail;
      const details = { error_code: error.code, ...(permission === undefined ? {} : { permission }) };
      const status = permission === undefined ? 'failure' : 'denied';
      return recordQuestion(deps, audit({ resourceId: null, status, details }));
    },
    handler: async ({ params, query, principal: { accountId, revisions }, signal, audit }) => {
      const sessionId = params.session_id;
      const days = query.window_days;
      const since = days === undefined ? undefined : new Date(deps.clock.now().getTime() - days * DAY_MS);
      const request = { accountId, sessionId, limit: query.limit ?? DEFAULT_LIMIT, since };
      const answer = await deps
        .findSimilar(request, { signal, walPosition: revisions?.walPosition })
        .catch(async (error: unknown) => {
          const code = signal.aborted ? 'client_gone' : error instanceof AppError ? error.code : 'internal';
          await recordQuestion(deps, audit({ resourceId: null, status: 'failure', details: { error_code: code } }));
          throw error;
        });
      const details = { result_count: answer.items.length, reasons: answer.degraded.reasons };
      await recordQuestion(deps, audit({ resourceId: sessionId, details }));
      return { status: 200, body: presentSimilar(answer, deps.settings) };
    },
  });
}

function presentSimilar(
  { items, degraded }: SimilarAnswer,
  settings: Deps['settings'],
): AnswerBody<typeof SimilarAnswerSchema> {
  return { items: items.map((item) => presentItem(item, settings)), degraded };
}

function presentItem({ session, similarity, excerpts }: SimilarSession, settings: Deps['settings']) {
  return {
    ...presentHeading(session, settings),
    similarity,
    excerpts: excerpts.map(presentExcerpt),
  };
}

function presentExcerpt(excerpt: Excerpt) {
  return {
    ...presentPlace(excerpt),
    text: excerpt.html,
    similarity: excerpt.similarity,
  };
}
