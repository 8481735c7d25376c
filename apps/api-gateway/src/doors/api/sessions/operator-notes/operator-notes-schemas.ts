import { nullable, type AnswerBody } from '@steward/http';
import { Type } from '@sinclair/typebox';
import type { OperatorNote } from '@steward/slice-sessions';

/** Thirty days: a note an agent has not read by then is history. */
const MAX_EXPIRY_SECONDS = 2_592_000;

export const SendOperatorNoteBody = Type.Object(
  {
    runtime_session_id: Type.Optional(
      nullable(Type.String({ format: 'uuid', description: 'Session the note is for.' })),
    ),
    managed_agent_id: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'Agent the note is for; its latest open session gets it.',
        }),
      ),
    ),
    text: Type.String({ minLength: 1, maxLength: 4096, description: 'The note.' }),
    expires_in_seconds: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: MAX_EXPIRY_SECONDS,
          description: 'After this the note is not delivered any more.',
        }),
      ),
    ),
  },
  { additionalProperties: false },
);

export const OperatorNoteAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  runtime_session_id: Type.String({ format: 'uuid' }),
  kind: Type.Literal('operator_note'),
  occurred_at: Type.String({ format: 'date-time' }),
  managed_agent_id: nullable(Type.String()),
  text: Type.String(),
  author: Type.Object({
    user_id: Type.String({ format: 'uuid' }),
    display: Type.String(),
    auth_method: Type.Union([Type.Literal('token'), Type.Literal('api_key')]),
  }),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: nullable(Type.String({ format: 'date-time' })),
});

export function renderOperatorNote(note: OperatorNote): AnswerBody<typeof OperatorNoteAnswer> {
  return {
    id: note.id,
    runtime_session_id: note.runtimeSessionId,
    kind: 'operator_note',
    occurred_at: note.createdAt,
    managed_agent_id: note.managedAgentId,
    text: note.text,
    author: { user_id: note.author.userId, display: note.author.display, auth_method: note.author.authMethod },
    created_at: note.createdAt,
    expires_at: note.expiresAt,
  };
}
