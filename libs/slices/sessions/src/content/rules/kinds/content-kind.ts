import { deterministicId } from '@steward/crypto';
import type { NewSessionContent } from '../../../schema.ts';
import type { SessionContent } from '../../session-content.ts';

export interface EntryTime {
  /** When it happened; now when left out. */
  readonly occurredAt?: Date | undefined;
}

/** The client's own id: unique in the session over all kinds, so that what is sent again is not stored twice. */
export interface EntryIdentity {
  readonly externalId?: string | null | undefined;
  /** The id that an earlier release gave it: what is stored under it, of the same time, is this entry. */
  readonly formerId?: string | undefined;
  /** How often its source had written it before; what has a higher one replaces what is stored. 0 when left out. */
  readonly revision?: number | undefined;
  /** What is the same for it and its copies in forks of its session, in the words of its source. */
  readonly origin?: string | undefined;
}

/** What one response of a model took, as its source counts it. */
export interface EntryTokens {
  readonly inputTokens?: number | null | undefined;
  readonly outputTokens?: number | null | undefined;
  readonly cacheReadTokens?: number | null | undefined;
  readonly cacheWriteTokens?: number | null | undefined;
  readonly reasoningTokens?: number | null | undefined;
}

export function toTokenColumns(entry: EntryTokens & EntryIdentity): Partial<NewSessionContent> {
  return {
    input_tokens: entry.inputTokens ?? null,
    output_tokens: entry.outputTokens ?? null,
    cache_read_tokens: entry.cacheReadTokens ?? null,
    cache_write_tokens: entry.cacheWriteTokens ?? null,
    reasoning_tokens: entry.reasoningTokens ?? null,
    revision: entry.revision ?? 0,
    origin: entry.origin === undefined ? null : deterministicId('session-content', entry.origin),
  };
}

export interface CaptureOptions {
  /** Off: the body of an interaction is dropped, and reaches no statement and no chunk. */
  readonly captureContent: boolean;
}

/** What of a piece of content can be searched, and whether its body was held back. */
export interface SearchText {
  readonly text: string;
  readonly redactionState: 'clear' | 'metadata_only';
}

/** All that is particular about one kind of content: how its entries are stored, read again and searched. */
export interface ContentKind<Entry> {
  /** What its row holds beside whose it is and when. */
  toColumns(entry: Entry, options: CaptureOptions): Partial<NewSessionContent>;
  /** The entry a stored row was written from: history is chunked by the same rule as new content. */
  toEntry(row: SessionContent): Entry;
  toSearchText(entry: Entry, options: CaptureOptions): SearchText;
}

export function toJson(value: unknown): string {
  return JSON.stringify(value ?? null);
}

export function joinLines(parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => isPresent(part) && part !== '').join('\n');
}

export function isPresent<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
