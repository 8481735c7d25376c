/** The kinds of content a session holds; each is a source kind of the search corpus. */
export const SESSION_CONTENT_KINDS = [
  'gateway_interaction',
  'tool_call',
  'transcript_message',
  'operator_note',
  'flow_log',
] as const;

export type SessionContentKind = (typeof SESSION_CONTENT_KINDS)[number];

interface EntryTime {
  /** When it happened; now when left out. */
  readonly occurredAt?: Date | undefined;
}

/** The client's own id: unique in the session over all kinds, so that what is sent again is not stored twice. */
interface EntryIdentity {
  readonly externalId?: string | null | undefined;
}

/** One model call. `request` and `response` are JSON of any shape, in whatever form the provider has it. */
export interface InteractionEntry extends EntryTime, EntryIdentity {
  readonly kind: 'gateway_interaction';
  readonly modelAlias: string;
  readonly providerName: string;
  readonly request: unknown;
  readonly response: unknown;
  readonly status?: string | null | undefined;
  readonly inputTokens?: number | null | undefined;
  readonly outputTokens?: number | null | undefined;
  readonly costUsd?: number | null | undefined;
}

export interface ToolCallEntry extends EntryTime, EntryIdentity {
  readonly kind: 'tool_call';
  readonly toolName: string;
  readonly arguments: unknown;
  readonly result?: unknown;
  readonly status?: string | null | undefined;
}

/** Model and tokens are known of messages that an agent recorded itself. */
export interface TranscriptEntry extends EntryTime, EntryIdentity {
  readonly kind: 'transcript_message';
  readonly role: string;
  readonly content: unknown;
  readonly modelAlias?: string | null | undefined;
  readonly inputTokens?: number | null | undefined;
  readonly outputTokens?: number | null | undefined;
}

export interface NoteEntry extends EntryTime {
  readonly kind: 'operator_note';
  /** Of the note, where it has one already: its content has the same. */
  readonly id?: string | undefined;
  readonly text: string;
}

/** One line (or one block of lines) of a flow's execution log. `step` names the part of the run, `level` its weight. */
export interface FlowLogEntry extends EntryTime {
  readonly kind: 'flow_log';
  readonly text: string;
  readonly step?: string | null | undefined;
  readonly level?: string | null | undefined;
}

export type SessionContentEntry = InteractionEntry | ToolCallEntry | TranscriptEntry | NoteEntry | FlowLogEntry;

/** One row of content as the timeline lists it. */
export interface SessionContent {
  readonly id: string;
  readonly runtimeSessionId: string;
  readonly kind: SessionContentKind;
  readonly occurredAt: Date;
  readonly role: string | null;
  readonly externalId: string | null;
  readonly apiKeyId: string | null;
  readonly modelAlias: string | null;
  readonly providerName: string | null;
  readonly toolName: string | null;
  readonly status: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
  /** The stored body; null when it was not captured. */
  readonly content: unknown;
  readonly contentCaptured: boolean;
  readonly createdAt: Date;
}
