import type { EventData } from '@steward/contracts';

export interface NoteAuthor {
  readonly userId: string;
  readonly display: string;
  readonly authMethod: 'token' | 'api_key';
}

export type DeliveryChannel = EventData<'agent.note_delivered'>['delivery_channel'];

export const NOTE_STATES = ['pending', 'delivered', 'expired', 'cancelled'] as const;
export type NoteState = (typeof NOTE_STATES)[number];

/** A message from a person to a working agent. */
export interface OperatorNote {
  readonly id: string;
  readonly accountId: string;
  /** Session of the note; null until the note is assigned to a session of its agent or execution. */
  readonly runtimeSessionId: string | null;
  readonly managedAgentId: string | null;
  readonly executionId: string | null;
  readonly text: string;
  /** True while the text of the note is not yet content of a session. */
  readonly hasOwnText: boolean;
  readonly author: NoteAuthor;
  readonly state: NoteState;
  readonly createdAt: Date;
  /** Time when the note expires; null if it never does. */
  readonly expiresAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly deliveryChannel: DeliveryChannel | null;
  /**
   * Number of model calls in the session up to the delivery, including the call with which the note was delivered, if
   * any.
   */
  readonly turnIndex: number | null;
}
