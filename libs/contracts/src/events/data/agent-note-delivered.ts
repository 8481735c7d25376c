import { agentNoteFields, agentNoteSent } from './agent-note-sent.ts';
import { defineData } from './define-data.ts';
import { choice, integer, nullable, timestamp } from './fields.ts';

export const agentNoteDelivered = defineData({
  fields: {
    ...agentNoteFields,
    delivered_at: timestamp('When the note was delivered to the agent.'),
    delivery_channel: choice(
      ['gateway', 'hook', 'assistant_channel', 'assistant_message'],
      'Channel by which the note was delivered to the agent.',
    ),
    turn_index: nullable(
      integer(
        'Number of model calls in the session up to the delivery, including the call with which the note was delivered, if any.',
      ),
    ),
  },
  example: {
    ...agentNoteSent.example,
    delivered_at: '2026-11-20T09:10:31.000Z',
    delivery_channel: 'gateway',
    turn_index: 14,
  },
});
