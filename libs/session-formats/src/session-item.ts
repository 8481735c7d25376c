/** The formats that are recognised; each is the source type of the sessions read from it. */
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

/** What an entry's session is known by. Later items of the same session may say more. */
export interface SessionHead {
  readonly sourceType: string;
  readonly sourceId: string;
  readonly title?: string;
  /** `cwd`, `repo`, `branch`, `commit`, `version`, `model`: what the source says, the newest value of each. */
  readonly labels: Readonly<Record<string, string>>;
  /** When it ended, where the source says. */
  readonly endedAt?: Date;
  /** Whose work it is, where the source names an agent. */
  readonly agent?: { readonly id: string; readonly name: string };
}

/** What one response of a model took, as its source counts it; on one entry of the response alone. */
export interface TokenCounts {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

interface EntryFacts extends TokenCounts {
  /** The same for the same entry whenever it is read again. */
  readonly externalId: string;
  /** The id that an earlier release gave it: what is stored under it, of the same time, is this entry. */
  readonly formerId?: string | undefined;
  /** How often the source has written it before: what has a higher one replaces what is there. 0 when left out. */
  readonly revision?: number | undefined;
  /** The same for this entry and its copies in forks of its session; undefined where the source gives no such name. */
  readonly origin?: string | undefined;
  readonly occurredAt?: Date | undefined;
}

export interface ImportedMessage extends EntryFacts {
  readonly kind: 'message';
  readonly role: string;
  readonly content: unknown;
  /** Under the role of a user, but written by the program: a caveat, a summary, the prompt of a subagent. */
  readonly byProgram?: boolean | undefined;
  /** `rewound`: its user took it back. */
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
