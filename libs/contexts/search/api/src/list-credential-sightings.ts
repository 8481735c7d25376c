import { defineRoute, readLimit, toPage, type Route } from '@steward/http';
import { maskCredentials } from '@steward/masking';
import { findCredentialSightings } from '@steward/search';
import { readSessionHeadings } from '@steward/sessions';
import { recordQuestion } from './record-question.ts';
import { listSearchPermissions } from '@steward/api';
import type { SearchDeps } from './search-deps.ts';
import { decodeSightingCursor, encodeSightingCursor } from './sightings-cursor.ts';
import { SightingsAnswer, SightingsBody } from './sightings-schemas.ts';

type Deps = Pick<SearchDeps, 'db' | 'settings' | 'searchAudits' | 'logger'>;

/**
 * Handles POST /api/v1/runtime-sessions/credential-sightings: lists the places where a credential was seen. The value
 * is sent in the body, because URLs are logged.
 */
export function createCredentialSightingsRoute(deps: Deps): Route {
  return defineRoute({
    operationId: 'listCredentialSightings',
    method: 'post',
    path: '/api/v1/runtime-sessions/credential-sightings',
    permissions: listSearchPermissions(deps),
    summary: 'List the places where a credential was seen, newest first.',
    description:
      'A keyed fingerprint of the value is compared with the fingerprints that were stored when content was indexed. The list is empty for a value that was never seen and for a value that no rule recognizes as a credential.',
    body: SightingsBody,
    bodyExample: { value: 'the credential to look for' },
    responses: {
      200: {
        description: 'A page of the places where the credential was seen.',
        name: 'CredentialSighting',
        schema: SightingsAnswer,
      },
    },
    audit: { action: 'query', resourceType: 'credential_sighting' },
    onRefused: ({ error, audit }) => {
      const { permission } = error.detail;
      const details = { error_code: error.code, ...(permission === undefined ? {} : { permission }) };
      const status = permission === undefined ? 'failure' : 'denied';
      // Records the request and its outcome, without the value and without a hash, because a hash would reveal a short
      // password.
      return recordQuestion(deps, audit({ resourceId: null, status, details }));
    },
    handler: async ({ body, principal: { accountId }, audit }) => {
      const limit = readLimit(body);
      const after = decodeSightingCursor(body.cursor);
      const found = await findCredentialSightings(deps.db, { accountId, value: body.value, after, limit: limit + 1 });
      const sessionIds = [...new Set(found.map((sighting) => sighting.runtimeSessionId))];
      const sessions = await readSessionHeadings(deps.db, { accountId, sessionIds });
      const details = { result_count: Math.min(found.length, limit), session_count: sessionIds.length };
      await recordQuestion(deps, audit({ resourceId: null, details }));
      const answer = toPage(found, limit, {
        item: (sighting) => ({
          runtime_session_id: sighting.runtimeSessionId,
          session_title: maskTitle(sessions.get(sighting.runtimeSessionId)?.title ?? null),
          source_kind: sighting.sourceKind,
          source_id: sighting.sourceId,
          occurred_at: sighting.occurredAt,
          rule: sighting.ruleId,
          first_seen_at: sighting.firstSeenAt,
          last_seen_at: sighting.lastSeenAt,
        }),
        cursor: encodeSightingCursor,
      });
      return { status: 200, body: answer };
    },
  });
}

function maskTitle(title: string | null): string | null {
  return title === null ? null : maskCredentials(title);
}
