import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { cancelOperatorNote, type OperatorNote } from '@steward/sessions';
import type { SessionWriteDeps } from '../sessions-deps.ts';
import { OperatorNoteAnswer, OperatorNoteParams, renderOperatorNote } from './operator-notes-schemas.ts';

/** POST /api/v1/operator-notes/{note_id}/cancel: cancels a note before its agent receives it. */
export function createCancelOperatorNoteRoute(deps: SessionWriteDeps): Route {
  return defineRoute({
    operationId: 'cancelOperatorNote',
    method: 'post',
    path: '/api/v1/operator-notes/{note_id}/cancel',
    permissions: ['control_managed_agent'],
    summary:
      'Cancel a note. If the note was delivered or is being delivered, has expired or was already cancelled, the response is 409 with the state of the note.',
    params: OperatorNoteParams,
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    responses: { 200: { description: 'The note.', name: 'OperatorNote', schema: OperatorNoteAnswer } },
    audit: { action: 'cancel', resourceType: 'operator_note' },
    handler: async ({ params, principal: { accountId }, audit, traceparent }) => {
      const key = { accountId, noteId: params.note_id, now: deps.clock.now() };
      const note = await transact({ ...deps, traceparent }, async (trx) => {
        const outcome = await cancelOperatorNote(trx, key);
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'too_late') throw refuse(outcome.note);
        await recordAudit(
          trx,
          audit({ resourceId: outcome.note.id, details: { runtime_session_id: outcome.note.runtimeSessionId } }),
        );
        return outcome.note;
      });
      return { status: 200, body: renderOperatorNote(note) };
    },
  });
}

function refuse({ state }: OperatorNote): AppError {
  const message =
    state === 'pending'
      ? 'The note is being delivered at this moment. Check in a minute whether it was delivered.'
      : `The note is already ${state}.`;
  return new AppError('conflict', { message, detail: { state } });
}
