import { flattenText } from '../flatten-text.ts';
import {
  joinLines,
  toJson,
  toTokenColumns,
  type ContentKind,
  type EntryIdentity,
  type EntryTime,
  type EntryTokens,
} from './content-kind.ts';

/**
 * A tool call. Its tokens are those of the model's response that requested the call, if this response contained nothing
 * else.
 */
export interface ToolCallEntry extends EntryTime, EntryIdentity, EntryTokens {
  readonly kind: 'tool_call';
  readonly toolName: string;
  readonly arguments: unknown;
  readonly result?: unknown;
  readonly status?: string | null | undefined;
}

export const TOOL_CALL: ContentKind<ToolCallEntry> = {
  toColumns: (entry) => ({
    external_id: entry.externalId ?? null,
    tool_name: entry.toolName,
    status: entry.status ?? null,
    ...toTokenColumns(entry),
    contentJson: toJson({ arguments: entry.arguments, result: entry.result ?? null }),
  }),
  toEntry(row) {
    const body = row.content as { arguments: unknown; result: unknown };
    return { kind: 'tool_call', toolName: row.toolName ?? '', ...body, status: row.status };
  },
  toSearchText: (entry) => ({
    text: joinLines([entry.toolName, flattenText(entry.arguments), flattenText(entry.result), entry.status]),
    redactionState: 'clear',
  }),
};
