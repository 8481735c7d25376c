import { AGENT_KINDS } from '@steward/contracts';
import { defineRoute, pageOf, readIdPage, toIdPage, type Route } from '@steward/http';
import { listNotes, type OperatorNote } from '@steward/sessions';
import { readAgentFilter } from '@steward/api';
import type { SessionWriteDeps } from '../sessions-deps.ts';
import { OperatorNoteAnswer, OperatorNotesQuery, renderNoteFor } from './operator-notes-schemas.ts';

/** GET /api/v1/operator-notes: lists notes to agents with their states. */
export function createListOperatorNotesRoute({ db }: Pick<SessionWriteDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listOperatorNotes',
    method: 'get',
    path: '/api/v1/operator-notes',
    openTo: AGENT_KINDS,
    permissions: ['view_runtime_sessions'],
    summary: 'List notes to agents, newest first.',
    description:
      'If the caller does not have the permission `manage_runtime_sessions`, or uses the token of an execution to read data of another session, credentials in the notes are replaced by `[redacted]`.',
    query: OperatorNotesQuery,
    responses: { 200: { description: 'A page of notes.', name: 'OperatorNote', schema: pageOf(OperatorNoteAnswer) } },
    handler: async ({ query, principal }) => {
      const page = readIdPage(query);
      const notes = await listNotes(db, {
        accountId: principal.accountId,
        state: query.state as OperatorNote['state'] | undefined,
        runtimeSessionId: query.runtime_session_id,
        managedAgentIds: await readAgentFilter(db, principal.accountId, query.managed_agent_id),
        executionId: query.execution_id,
        ...page,
      });
      return { status: 200, body: toIdPage(notes, page.limit, (note) => renderNoteFor(note, principal)) };
    },
  });
}
