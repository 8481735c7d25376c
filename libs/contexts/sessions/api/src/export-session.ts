import { AGENT_KINDS, type Principal } from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';
import {
  hasObjects,
  listSessionTimeline,
  readRuntimeSession,
  requireAvailable,
  type RuntimeSession,
} from '@steward/sessions';
import {
  type OpenRequests,
  noteDenied,
  noteRead,
  type ReadDeps,
  requireFound,
  type TimelinePlace,
  SessionParams,
  sendLines,
} from '@steward/api';
import { renderTimeline } from './render-timeline.ts';
import { renderRuntimeSession } from './runtime-sessions-schemas.ts';
import type { SessionsDeps } from './sessions-deps.ts';

export type ExportDeps = Pick<SessionsDeps, 'db' | 'settings' | 'contentObjects'> & {
  readonly openRequests: Pick<OpenRequests, 'exports'>;
} & ReadDeps;

const ROWS_PER_READ = 200;

/** GET /api/v1/runtime-sessions/{session_id}/export: exports the session and all of its content as JSON lines. */
export function createExportSessionRoute(deps: ExportDeps): Route {
  return defineRoute({
    operationId: 'exportSession',
    method: 'get',
    path: '/api/v1/runtime-sessions/{session_id}/export',
    openTo: AGENT_KINDS,
    permissions: ['view_runtime_sessions'],
    summary: 'Download a session with all of its content.',
    description:
      'The response consists of JSON lines: `{"record": "session", ...}`, then one `{"record": "content", ...}` per entry, oldest first as in the timeline, and finally `{"record": "end", "items": n}`. A response without this last line is incomplete. The response is 503 if bodies are in an object store that does not respond.',
    params: SessionParams,
    responses: { 200: { description: 'The lines.', mediaType: 'application/x-ndjson' } },
    audit: { action: 'read', resourceType: 'runtime_session' },
    onRefused: noteDenied(deps, 'export'),
    handler: async ({ params, principal, signal, audit }) => {
      const key = { accountId: principal.accountId, sessionId: params.session_id };
      const session = requireFound(await readRuntimeSession(deps.db, key));
      await requireReadable(deps, key);
      return {
        stream: async (response) => {
          const leave = deps.openRequests.exports.enter(principal);
          try {
            await noteRead(deps, { what: 'export', resourceId: session.id, principal, audit });
            response.writeHead(200, {
              'content-type': 'application/x-ndjson',
              'content-disposition': `attachment; filename="session-${session.id}.ndjson"`,
            });
            await sendLines(response, writeLines(deps, session, principal), signal);
          } finally {
            leave();
          }
        },
      };
    },
  });
}

/**
 * @throws AppError `unavailable` if bodies of the session are in an object store that does not respond, or that is not
 * configured for this process
 */
async function requireReadable(
  { db, contentObjects }: Pick<ExportDeps, 'db' | 'contentObjects'>,
  key: { readonly accountId: string; readonly sessionId: string },
): Promise<void> {
  if (contentObjects !== undefined && (await contentObjects.isAvailable())) return;
  if (await hasObjects(db, key)) requireAvailable([{ contentError: 'unavailable' }]);
}

async function* writeLines(
  { db, settings, contentObjects }: Pick<ExportDeps, 'db' | 'settings' | 'contentObjects'>,
  session: RuntimeSession,
  principal: Principal,
): AsyncGenerator<string> {
  yield writeLine('session', renderRuntimeSession(session, principal, settings));
  let after: TimelinePlace | undefined;
  let items = 0;
  for (let hasMore = true; hasMore;) {
    const key = { accountId: session.accountId, sessionId: session.id, after, limit: ROWS_PER_READ };
    const page = await listSessionTimeline(db, key, contentObjects);
    // If a body cannot be read at the moment, the response ends here, without its last line.
    requireAvailable(page.items);
    for (const item of await renderTimeline(page.items, principal, session.id)) yield writeLine('content', item);
    after = page.items.at(-1);
    items += page.items.length;
    hasMore = page.hasMore;
  }
  // If the session is deleted in the meantime, the remaining pages may lack content, and the missing last line shows
  // that the export is incomplete.
  const key = { accountId: session.accountId, sessionId: session.id };
  if ((await readRuntimeSession(db, key)) !== undefined) yield writeLine('end', { items });
}

function writeLine(record: 'session' | 'content' | 'end', values: object): string {
  return `${JSON.stringify({ record, ...values })}\n`;
}
