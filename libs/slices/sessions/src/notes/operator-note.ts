import type { EventData } from '@steward/contracts';

export interface NoteAuthor {
  readonly userId: string;
  readonly display: string;
  readonly authMethod: 'token' | 'api_key';
}

export type DeliveryChannel = EventData<'agent.note_delivered'>['delivery_channel'];

export const NOTE_STATES = ['pending', 'delivered', 'expired', 'cancelled'] as const;
export type NoteState = (typeof NOTE_STATES)[number];

/** A word of a person to an agent at work. */
export interface OperatorNote {
  readonly id: string;
  readonly accountId: string;
  /** Null while it waits for the next session of its agent or execution. */
  readonly runtimeSessionId: string | null;
  readonly managedAgentId: string | null;
  readonly executionId: string | null;
  readonly text: string;
  /** Its text is no content of a session yet. */
  readonly hasOwnText: boolean;
  readonly author: NoteAuthor;
  readonly state: NoteState;
  readonly createdAt: Date;
  /** Null: it waits without end. */
  readonly expiresAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly deliveryChannel: DeliveryChannel | null;
  /** Calls of models in the session up to the one it came with. */
  readonly turnIndex: number | null;
}
