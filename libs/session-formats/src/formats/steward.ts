import { NOTHING, UNNAMED_SESSION, type FormatOptions, type FormatReader } from '../format-reader.ts';
import { toToolName } from '../rules/chat-message.ts';
import { cleanContent, cleanToolValue } from '../rules/clean-content.ts';
import { boundedId, hashContent, placedId } from '../rules/entry-id.ts';
import { firstText, toCount, toFields, toList, toText, toTime, type Fields } from '../rules/json-access.ts';
import { readEach } from '../rules/read-each.ts';
import { readTokens } from '../rules/read-tokens.ts';
import type { ImportedEntry, TokenCounts } from '../session-item.ts';
import { createSessionNotes, type SessionNotes } from '../session-notes.ts';

/**
 * Reads the export of a session, the bodies of the content routes (one entry per record, with its `type` or `kind`), or
 * a transcript (`{messages}`).
 */
export function createStewardReader({ sourceId }: FormatOptions): FormatReader {
  /**
   * Data of the session if the file is an export: its first record describes the session, its last one counts the
   * entries.
   */
  let exported: SessionNotes | undefined;

  function readList(record: Fields) {
    const messages = toList(record['messages']);
    const notes = noteSession(record, sourceId ?? hashContent(messages));
    const items = readEach(messages, (message, index) => {
      const entry = toEntry(message, String(index));
      return entry === undefined ? [] : [{ session: notes.head(), entry }];
    });
    return messages.every((message) => isEntry(toFields(message))) ? { items } : { items, unknown: 'message' };
  }

  return {
    read(record, place) {
      const fields = toFields(record);
      if (fields['record'] === 'session') exported = noteSession(fields, UNNAMED_SESSION);
      if (fields['record'] === 'session' || fields['record'] === 'end') return NOTHING;
      if (Array.isArray(fields['messages'])) return readList(fields);
      const notes = exported ?? noteSession(fields, sourceId ?? UNNAMED_SESSION);
      const entry = toEntry(fields, String(place));
      if (entry === undefined) return { items: [], unknown: firstText(fields['type'], fields['kind']) ?? 'no type' };
      return { items: [{ session: notes.head(), entry }] };
    },
    end: () => [],
  };
}

function noteSession(record: Fields, otherwise: string): SessionNotes {
  const type = (toText(record['session_source_type']) ?? 'steward').slice(0, 64);
  const notes = createSessionNotes(
    type,
    firstText(record['session_source_id'], record['runtime_session_id']) ?? otherwise,
  );
  notes.title = toText(record['title']);
  notes.label('model', record['model_alias']);
  notes.endedAt = toTime(record['ended_at']);
  for (const label of toList(record['labels'])) {
    const [, key, value] = /^([^:]+):([^]+)$/.exec(toText(label) ?? '') ?? [];
    if (key !== undefined) notes.label(key, value);
  }
  return notes;
}

function isInteraction(fields: Fields): boolean {
  const kind = firstText(fields['type'], fields['kind']);
  return fields['model_alias'] !== undefined && kind !== 'transcript_message' && kind !== 'message';
}

function isMessage({ role, content }: Fields): boolean {
  return toText(role) !== undefined && content !== undefined && content !== null;
}

function isEntry(fields: Fields): boolean {
  return isInteraction(fields) || toText(fields['tool_name']) !== undefined || isMessage(fields);
}

function toEntry(fields: Fields, place: string): ImportedEntry | undefined {
  if (!isEntry(fields)) return undefined;
  const usage = toFields(fields['usage']);
  const status = toText(fields['status'])?.slice(0, 64);
  const base = {
    externalId: boundedId(firstText(fields['external_id'], fields['id']) ?? placedId(place, fields)),
    occurredAt: toTime(fields['occurred_at']),
  };
  const tokens = { ...readTokens(fields), ...readTokens(usage), ...readOwnTokens({ ...fields, ...usage }) };
  const content = toFields(fields['content']);
  if (isInteraction(fields)) {
    return {
      ...base,
      ...tokens,
      kind: 'interaction',
      status,
      model: toToolName(fields['model_alias']),
      provider: toToolName(fields['provider_name']),
      request: cleanContent(fields['request'] ?? content['request']),
      response: cleanContent(fields['response'] ?? content['response']),
    };
  }
  if (toText(fields['tool_name']) !== undefined) {
    const toolName = toToolName(fields['tool_name']);
    const given = cleanToolValue(fields['arguments'] ?? content['arguments']);
    const result = cleanToolValue(fields['result'] ?? content['result']);
    return { ...base, ...tokens, kind: 'tool_call', toolName, arguments: given, result, status };
  }
  const role = String(fields['role']).slice(0, 64);
  return { ...base, ...tokens, kind: 'message', role, content: cleanContent(fields['content']) };
}

/** Reads the counts of cached and reasoning tokens from the fields of an export. */
function readOwnTokens(fields: Fields): TokenCounts {
  const counts: TokenCounts = {
    cacheReadTokens: toCount(fields['cache_read_tokens']),
    cacheWriteTokens: toCount(fields['cache_write_tokens']),
    reasoningTokens: toCount(fields['reasoning_tokens']),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}
