import type { Principal } from '@steward/contracts';
import type { Static } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/slice-audit';
import { sendOperatorNote, type NoteAuthor } from '@steward/slice-sessions';
import type { SessionWriteDeps } from '../sessions-deps.ts';
import { OperatorNoteAnswer, renderOperatorNote, SendOperatorNoteBody } from './operator-notes-schemas.ts';

/** POST /api/v1/operator-notes: a note to a session, or to the open session of an agent. */
export function createSendOperatorNoteRoute(deps: SessionWriteDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/operator-notes',
    auth: 'bearer',
    permissions: ['control_managed_agent'],
    tag: 'operator notes',
    summary: 'Send a note to a session or to a managed agent.',
    description:
      'Name either `runtime_session_id` or `managed_agent_id`. Fires `agent.note_sent` when the session still runs. At most 20 notes an hour from one author to one agent; beyond it 429.',
    body: SendOperatorNoteBody,
    responses: { 201: { description: 'The note.', schema: OperatorNoteAnswer } },
    audit: { action: 'create', resourceType: 'operator_note' },
    handler: async ({ body, principal, audit, traceparent }) => {
      const { accountId } = principal;
      const now = deps.clock.now();
      const input = {
        accountId,
        target: readTarget(body),
        text: body.text,
        author: describeAuthor(principal),
        apiKeyId: principal.apiKeyId,
        expiresAt: readExpiry(body.expires_in_seconds, now),
        now,
      };
      const note = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const outcome = await sendOperatorNote(trx, hints, input, deps.options);
        if (outcome.kind === 'not_found') throw refuseUnknownTarget(outcome.missing);
        await recordAudit(
          trx,
          audit({ resourceId: outcome.note.id, details: { runtime_session_id: outcome.note.runtimeSessionId } }),
        );
        return outcome.note;
      });
      return { status: 201, body: renderOperatorNote(note) };
    },
  });
}

function readTarget(body: Static<typeof SendOperatorNoteBody>): { sessionId: string } | { managedAgentId: string } {
  const sessionId = body.runtime_session_id ?? undefined;
  const managedAgentId = body.managed_agent_id ?? undefined;
  if (sessionId !== undefined && managedAgentId === undefined) return { sessionId };
  if (managedAgentId !== undefined && sessionId === undefined) return { managedAgentId };
  throw new AppError('invalid_request', {
    message: 'Send exactly one of "runtime_session_id" and "managed_agent_id".',
    detail: { field: sessionId === undefined ? 'runtime_session_id' : 'managed_agent_id' },
  });
}

function readExpiry(seconds: number | null | undefined, now: Date): Date | null {
  return seconds === null || seconds === undefined ? null : new Date(now.getTime() + seconds * 1000);
}

function describeAuthor(principal: Principal): NoteAuthor {
  const authMethod = principal.kind === 'api_key' ? 'api_key' : 'token';
  return { userId: principal.userId, display: principal.username, authMethod };
}

function refuseUnknownTarget(missing: 'session' | 'managed_agent'): AppError {
  if (missing === 'session') return new AppError('not_found');
  return new AppError('not_found', { message: 'The managed agent has no open session.' });
}
