/**
 * The recognized formats; each is the source type of the sessions in that format. In the format `steward`, a session
 * may name another source type.
 */
export const SESSION_FORMATS = [
  'claude_code',
  'codex',
  'gemini_cli',
  'opencode',
  'cursor',
  'openai_chat',
  'anthropic_messages',
  'vercel_ui',
  'langsmith',
  'steward',
] as const;

export type SessionFormat = (typeof SESSION_FORMATS)[number];

/** Data of an entry's session. Later items of the same session may add more. */
export interface SessionHead {
  readonly sourceType: string;
  readonly sourceId: string;
  readonly title?: string;
  /**
   * Labels from the source, such as `cwd`, `repo`, `branch`, `commit`, `version` and `model`, with the newest value of
   * each.
   */
  readonly labels: Readonly<Record<string, string>>;
  /** Time when the session ended, if the source contains it. */
  readonly endedAt?: Date;
  /** The agent of the session, if the source names one. */
  readonly agent?: { readonly id: string; readonly name: string };
}

/** Token counts of one model response, as counted by its source; only one entry of the response has them. */
export interface TokenCounts {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

interface EntryFacts extends TokenCounts {
  /** Id of the entry, identical each time the entry is read. */
  readonly externalId: string;
  /** The id assigned by an earlier release: a stored entry with that id and the same time is this entry. */
  readonly formerId?: string | undefined;
  /** Revision of the entry: a version with a higher revision replaces the stored one. 0 if undefined. */
  readonly revision?: number | undefined;
  /**
   * Name of the original entry, identical for this entry and its copies in forks of its session; undefined if the
   * source contains no such name.
   */
  readonly origin?: string | undefined;
  readonly occurredAt?: Date | undefined;
}

export interface ImportedMessage extends EntryFacts {
  readonly kind: 'message';
  readonly role: string;
  readonly content: unknown;
  /**
   * True for text that the program added, for summaries, and for messages of subagents: they may have the user's role,
   * although no user wrote them.
   */
  readonly byProgram?: boolean | undefined;
  /** Status of the entry. `rewound`: the user rewound the session to a point before the entry. */
  readonly status?: string | undefined;
  readonly model?: string | undefined;
}

export interface ImportedInteraction extends EntryFacts {
  readonly kind: 'interaction';
  readonly model: string;
  readonly provider: string;
  readonly request: unknown;
  readonly response: unknown;
  readonly status?: string | undefined;
}

export interface ImportedToolCall extends EntryFacts {
  readonly kind: 'tool_call';
  readonly toolName: string;
  readonly arguments: unknown;
  readonly result?: unknown;
  readonly status?: string | undefined;
}

export type ImportedEntry = ImportedMessage | ImportedInteraction | ImportedToolCall;

export interface SessionItem {
  readonly session: SessionHead;
  readonly entry: ImportedEntry;
}
