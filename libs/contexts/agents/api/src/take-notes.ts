import { Type } from '@sinclair/typebox';
import { AGENT_KINDS } from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';
import { requireSessionFound } from '@steward/tool-calls';
import { takeHookNotes, type HookNotesDeps } from './hook-notes.ts';
import { HookNote } from './permission-check-schemas.ts';

const CHANNELS = ['hook', 'assistant_channel', 'assistant_message'] as const;

const Body = Type.Object(
  {
    runtime_session_id: Type.Optional(
      Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
        description:
          'Id of the session whose notes are taken; default: the notes of all sessions of the agent are taken. Notes that wait for a session are taken in both cases.',
      }),
    ),
    channel: Type.Optional(
      Type.Unsafe<(typeof CHANNELS)[number]>({
        type: 'string',
        enum: [...CHANNELS],
        description: 'Channel by which the agent receives the notes; default `hook`.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Answer = Type.Object({
  operator_notes: Type.Array(HookNote, { description: 'At most five notes, oldest first.' }),
});

/**
 * Creates the route POST /api/v1/agents/notes/pending, which returns the pending notes that people sent to the agent of
 * the key.
 */
export function createTakeNotesRoute(deps: HookNotesDeps): Route {
  return defineRoute({
    operationId: 'takePendingNotes',
    method: 'post',
    path: '/api/v1/agents/notes/pending',
    openTo: AGENT_KINDS,
    permissions: ['manage_runtime_sessions'],
    summary: 'Take the pending notes of an agent.',
    description:
      'Call the operation with the credential of the agent, because a caller gets only the notes for its own agent, execution and sessions. A note counts as delivered, and is not returned again, once the response has been written.',
    body: Body,
    bodyOptional: true,
    responses: { 200: { description: 'The notes.', name: 'PendingNotes', schema: Answer } },
    unaudited: 'An event records the notes that were taken.',
    handler: async ({ body, principal, traceparent }) => {
      const sessionId = body.runtime_session_id ?? undefined;
      await requireSessionFound(deps.db, principal, sessionId);
      const turn = { principal, sessionId, channel: body.channel ?? 'hook', traceparent };
      const { notes, onSent } = await takeHookNotes(deps, turn);
      return { status: 200, body: { operator_notes: notes }, onSent };
    },
  });
}
