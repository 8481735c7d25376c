import { flattenText } from '../flatten-text.ts';
import {
  toJson,
  toTokenColumns,
  type ContentKind,
  type EntryIdentity,
  type EntryTime,
  type EntryTokens,
} from './content-kind.ts';

/** A message of a transcript. Model and tokens are known only for messages that an agent recorded itself. */
export interface TranscriptEntry extends EntryTime, EntryIdentity, EntryTokens {
  readonly kind: 'transcript_message';
  readonly role: string;
  readonly content: unknown;
  /** True if a program wrote the message, whatever its role: such a message is not used for titles. Not stored. */
  readonly byProgram?: boolean | undefined;
  readonly modelAlias?: string | null | undefined;
  /** Status of the message: `rewound` means that the user undid it. */
  readonly status?: string | null | undefined;
}

export const TRANSCRIPT_MESSAGE: ContentKind<TranscriptEntry> = {
  toColumns: (entry) => ({
    role: entry.role,
    external_id: entry.externalId ?? null,
    model_alias: entry.modelAlias ?? null,
    status: entry.status ?? null,
    ...toTokenColumns(entry),
    contentJson: toJson(entry.content),
  }),
  toEntry: (row) => ({
    kind: 'transcript_message',
    role: row.role ?? '',
    content: row.content,
    externalId: row.externalId,
    status: row.status,
  }),
  toSearchText: (entry) => ({ text: flattenText(entry.content), redactionState: 'clear' }),
};
