import type { EventData } from '@steward/contracts';
import type { OperatorNote } from '../operator-note.ts';

/** Returns the fields that both events of a note have. */
export function describeNote(note: OperatorNote): EventData<'agent.note_sent'> {
  return {
    note_id: note.id,
    managed_agent_id: note.managedAgentId,
    runtime_session_id: note.runtimeSessionId,
    text: note.text,
    author: { user_id: note.author.userId, display: note.author.display, auth_method: note.author.authMethod },
    created_at: note.createdAt.toISOString(),
    expires_at: note.expiresAt?.toISOString() ?? null,
  };
}
