import { flattenText } from '../flatten-text.ts';
import { toJson, type ContentKind, type EntryIdentity, type EntryTime } from './content-kind.ts';

/** Model and tokens are known of messages that an agent recorded itself. */
export interface TranscriptEntry extends EntryTime, EntryIdentity {
  readonly kind: 'transcript_message';
  readonly role: string;
  readonly content: unknown;
  /** A program wrote it, whatever its role: it titles no session. Not stored. */
  readonly byProgram?: boolean | undefined;
  readonly modelAlias?: string | null | undefined;
  readonly inputTokens?: number | null | undefined;
  readonly outputTokens?: number | null | undefined;
}

export const TRANSCRIPT_MESSAGE: ContentKind<TranscriptEntry> = {
  toColumns: (entry) => ({
    role: entry.role,
    external_id: entry.externalId ?? null,
    model_alias: entry.modelAlias ?? null,
    input_tokens: entry.inputTokens ?? null,
    output_tokens: entry.outputTokens ?? null,
    contentJson: toJson(entry.content),
  }),
  toEntry: (row) => ({
    kind: 'transcript_message',
    role: row.role ?? '',
    content: row.content,
    externalId: row.externalId,
  }),
  toSearchText: (entry) => ({ text: flattenText(entry.content), redactionState: 'clear' }),
};
