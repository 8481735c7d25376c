import { UNNAMED_SESSION, type FormatOptions, type FormatReader } from '../format-reader.ts';
import { toChatItems, toItem } from '../rules/chat-entries.ts';
import { readChatMessage, type ChatMessage } from '../rules/chat-message.ts';
import { placedId } from '../rules/entry-id.ts';
import { isFields, toFields, toText, type Fields } from '../rules/json-access.ts';
import { createOpenCalls } from '../rules/open-calls.ts';
import type { SessionItem } from '../session-item.ts';
import { createSessionNotes, type SessionNotes } from '../session-notes.ts';

/** Matches the wrapper that the editor adds around the user's text. */
const QUERY = /^\s*<user_query>\n?([^]*?)\n?<\/user_query>\s*$/;

/**
 * Reads the transcripts below `agent-transcripts` in `~/.cursor/projects`: a line per message, without ids, times and
 * results. The file name identifies the session.
 */
export function createCursorReader({ sourceId = UNNAMED_SESSION }: FormatOptions): FormatReader {
  const calls = createOpenCalls<SessionNotes>();
  const notes = createSessionNotes('cursor', sourceId);

  function* readMessage(line: Fields, place: number): Generator<SessionItem, void, undefined> {
    const externalId = placedId(place, line);
    const { message, role } = line;
    const read = readChatMessage({ ...toFields(message), role });
    const words = typeof read.content === 'string' ? read.content.replace(QUERY, '$1') : read.content;
    const answered = read.calls.filter(({ callId }) => callId !== undefined);
    yield* toChatItems({ ...read, content: words, calls: answered }, { notes, externalId }, calls);
    yield* listCalls(read, externalId);
  }

  /** Returns the calls without an id as entries at once, because no result can be assigned to them later. */
  function listCalls(read: ChatMessage, externalId: string): SessionItem[] {
    return read.calls.flatMap(({ callId, toolName, arguments: given }, index) => {
      if (callId !== undefined) return [];
      const entry = {
        kind: 'tool_call',
        toolName,
        arguments: given,
        externalId: `${externalId}:call${index}`,
      } as const;
      return [{ session: notes.head(), entry }];
    });
  }

  return {
    read(record, place) {
      const line = toFields(record);
      const isMessage = toText(line['role']) !== undefined && isFields(line['message']);
      if (isMessage) return { items: readMessage(line, place) };
      // The end of a turn is skipped, since it only shows whether the turn succeeded.
      if (line['type'] === 'turn_ended') return { items: [] };
      return { items: [], unknown: toText(line['type']) ?? 'no message' };
    },
    end: () => calls.close().map(toItem),
  };
}
