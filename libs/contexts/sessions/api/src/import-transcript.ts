import { Type } from '@sinclair/typebox';
import { AGENT_KINDS } from '@steward/contracts';
import { CONTENT_BODY_LIMIT_BYTES, defineRoute, type Route } from '@steward/http';
import { appendContent, type AppendDeps } from './append-content.ts';
import { readEntries } from './read-entries.ts';
import { SessionParams, refuseOversizedText } from '@steward/api';
import { TranscriptBody } from './session-content-schemas.ts';

const Answer = Type.Object({
  imported: Type.Integer({ description: 'Number of messages stored.' }),
  skipped: Type.Integer({
    description: 'Number of messages skipped because the session already has their external_id.',
  }),
});

/**
 * POST /api/v1/runtime-sessions/{session_id}/transcript: stores up to a thousand messages; repeating an import of
 * messages with external ids is safe.
 */
export function createImportTranscriptRoute(deps: AppendDeps): Route {
  return defineRoute({
    operationId: 'importTranscript',
    method: 'post',
    path: '/api/v1/runtime-sessions/{session_id}/transcript',
    openTo: AGENT_KINDS,
    permissions: ['manage_runtime_sessions'],
    summary: 'Import messages of a transcript.',
    description:
      'Either all messages are stored or none. A message whose external_id the session already has is skipped.',
    params: SessionParams,
    body: TranscriptBody,
    bodyExample: {
      messages: [
        { role: 'user', content: 'Why is the total wrong?' },
        { role: 'assistant', content: 'The tax is added twice.' },
      ],
    },
    bodyLimitBytes: CONTENT_BODY_LIMIT_BYTES,
    responses: {
      201: {
        description: 'The messages were stored; the next search finds them.',
        name: 'TranscriptImport',
        schema: Answer,
      },
    },
    unaudited: 'Agents write sessions; the session is the record.',
    handler: async ({ params, body, rawBody, principal, traceparent }) => {
      refuseOversizedText(body, rawBody.length);
      const { stored, skipped } = await appendContent(deps, {
        principal,
        sessionId: params.session_id,
        entries: readEntries.transcript(body),
        kind: 'transcript',
        rawBody,
        traceparent,
      });
      return { status: 201, body: { imported: stored.length, skipped } };
    },
  });
}
