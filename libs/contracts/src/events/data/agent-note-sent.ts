import { Type } from '@sinclair/typebox';
import { defineData } from './define-data.ts';
import { choice, nullable, text, timestamp, uuid } from './fields.ts';

export const agentNoteFields = {
  note_id: uuid('The note.'),
  managed_agent_id: nullable(text('Agent the note is for.')),
  runtime_session_id: nullable(uuid('Session the note is for.')),
  text: text('Text of the note.'),
  author: Type.Object(
    {
      user_id: nullable(uuid('User who wrote the note.')),
      display: text('Name shown to the agent.'),
      auth_method: choice(['token', 'api_key'], 'How the author was authenticated.'),
    },
    { description: 'Author of the note.' },
  ),
  created_at: timestamp('When the service accepted the note.'),
  expires_at: nullable(timestamp('When the note expires: after this time it is no longer delivered.')),
};

export const agentNoteSent = defineData({
  fields: agentNoteFields,
  example: {
    note_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b18',
    managed_agent_id: 'release-bot',
    runtime_session_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b13',
    text: 'Do not touch the payment tables today.',
    author: { user_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b14', display: 'Dana', auth_method: 'token' },
    created_at: '2026-11-20T09:10:00.000Z',
    expires_at: '2026-11-21T09:10:00.000Z',
  },
});
