import { deterministicId } from '@steward/crypto';
import type { NewSessionContent } from '../../../schema.ts';
import type { SessionContent } from '../../session-content.ts';

export interface EntryTime {
  /** Time of the event; default: now. */
  readonly occurredAt?: Date | undefined;
}

/**
 * Ids of an entry. The external id is set by the client and unique in the session across all kinds, so that a repeated
 * entry is stored only once.
 */
export interface EntryIdentity {
  readonly externalId?: string | null | undefined;
  /**
   * The external id that an earlier release used: an entry that is stored under this id with the same time is the same
   * entry.
   */
  readonly formerId?: string | undefined;
  /**
   * Number of earlier versions of the entry at its source; an entry with a higher number replaces the stored one.
   * Default: 0.
   */
  readonly revision?: number | undefined;
  /** Common id of an entry and its copies in forks of its session, provided by its source. */
  readonly origin?: string | undefined;
}

/** Tokens of one model response, as counted by its source. */
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
  /** False if the body of an interaction is dropped, so that no statement or chunk contains it. */
  readonly captureContent: boolean;
}

/** The searchable text of a piece of content, and whether its body was withheld. */
export interface SearchText {
  readonly text: string;
  readonly redactionState: 'clear' | 'metadata_only';
}

/** Properties of one kind of content: how its entries are stored, read and searched. */
export interface ContentKind<Entry> {
  /** Returns those columns of the entry's row that depend on its kind. */
  toColumns(entry: Entry, options: CaptureOptions): Partial<NewSessionContent>;
  /**
   * Restores the entry from a stored row, so that existing content is split into chunks by the same rule as new
   * content.
   */
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
