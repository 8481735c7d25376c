import { Type } from '@sinclair/typebox';
import { nullable, PageQuery, type AnswerBody } from '@steward/http';
import { maskCredentials } from '@steward/masking';
import { NOTE_STATES, type OperatorNote } from '@steward/sessions';
import { renderAuthor, readsOriginals, type ContentReader } from '@steward/api';

/** Maximum time until a note expires (30 days): a note that an agent has not received within this time is obsolete. */
const MAX_EXPIRY_SECONDS = 2_592_000;

const uuid = (description: string) => Type.String({ format: 'uuid', description });
const time = Type.String({ format: 'date-time' });
const agentId = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });

export const SendOperatorNoteBody = Type.Object(
  {
    runtime_session_id: Type.Optional(nullable(uuid('Session the note is for.'))),
    managed_agent_id: Type.Optional(
      nullable(
        agentId(
          'Agent the note is for. The note goes to the agent’s open session with the latest activity or, if the agent has no open session, to its next session.',
        ),
      ),
    ),
    execution_id: Type.Optional(
      nullable(uuid('Id of the flow execution that the note is for; the execution may still be queued.')),
    ),
    text: Type.String({ minLength: 1, maxLength: 4096, description: 'The note.' }),
    expires_in_seconds: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: MAX_EXPIRY_SECONDS,
          description: 'Seconds after which the note expires and is no longer delivered.',
        }),
      ),
    ),
  },
  { additionalProperties: false },
);

export const OperatorNoteParams = Type.Object({ note_id: uuid('The note.') });

export const OperatorNotesQuery = Type.Object(
  {
    ...PageQuery,
    state: Type.Optional(Type.String({ enum: [...NOTE_STATES], description: 'Only notes in this state.' })),
    runtime_session_id: Type.Optional(uuid('Only notes of this session.')),
    managed_agent_id: Type.Optional(agentId('Only notes for this agent.')),
    execution_id: Type.Optional(uuid('Only notes for this flow execution.')),
  },
  { additionalProperties: false },
);

export const OperatorNoteAnswer = Type.Object({
  id: uuid('The note.'),
  state: Type.Unsafe<OperatorNote['state']>({ type: 'string', enum: [...NOTE_STATES] }),
  runtime_session_id: nullable(
    Type.String({ format: 'uuid' }),
    'Id of the session that the note is for; null until the note is assigned to a session.',
  ),
  execution_id: nullable(Type.String({ format: 'uuid' })),
  kind: Type.Literal('operator_note'),
  occurred_at: time,
  managed_agent_id: nullable(Type.String()),
  text: Type.String(),
  author: Type.Object({
    user_id: Type.String({ format: 'uuid' }),
    display: Type.String(),
    auth_method: Type.Union([Type.Literal('token'), Type.Literal('api_key')]),
  }),
  created_at: time,
  expires_at: nullable(time),
  cancelled_at: nullable(time),
  delivered_at: nullable(time),
  delivery_channel: nullable(
    Type.String(),
    'How the note was delivered: `gateway`, `hook`, `assistant_channel` or `assistant_message`.',
  ),
  turn_index: nullable(
    Type.Integer(),
    'Number of model calls in the session up to the delivery, including the call with which the note was delivered, if any.',
  ),
});

export function renderOperatorNote(note: OperatorNote): AnswerBody<typeof OperatorNoteAnswer> {
  return {
    id: note.id,
    state: note.state,
    runtime_session_id: note.runtimeSessionId,
    execution_id: note.executionId,
    kind: 'operator_note',
    occurred_at: note.createdAt,
    managed_agent_id: note.managedAgentId,
    text: note.text,
    author: renderAuthor(note),
    created_at: note.createdAt,
    expires_at: note.expiresAt,
    cancelled_at: note.cancelledAt,
    delivered_at: note.deliveredAt,
    delivery_channel: note.deliveryChannel,
    turn_index: note.turnIndex,
  };
}

/**
 * Renders a note. For a caller that may not see original content (`readsOriginals`), credentials in the text are
 * masked, as in the timeline (MASK-2).
 */
export function renderNoteFor(note: OperatorNote, reader: ContentReader): AnswerBody<typeof OperatorNoteAnswer> {
  const answer = renderOperatorNote(note);
  return readsOriginals(reader, note.runtimeSessionId) ? answer : { ...answer, text: maskCredentials(note.text) };
}
