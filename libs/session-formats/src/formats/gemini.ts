import { NOTHING, UNNAMED_SESSION, type FormatOptions, type FormatReader } from '../format-reader.ts';
import { toChatItems, toItem } from '../rules/chat-entries.ts';
import { cleanBlocks, readResult, toToolName, type ChatMessage } from '../rules/chat-message.ts';
import { cleanToolValue } from '../rules/clean-content.ts';
import { boundedId, placedId } from '../rules/entry-id.ts';
import { firstText, toCount, toFields, toList, toText, toTime, type Fields } from '../rules/json-access.ts';
import { readEach } from '../rules/read-each.ts';
import { createOpenCalls } from '../rules/open-calls.ts';
import type { SessionItem } from '../session-item.ts';
import { createSessionNotes, type SessionNotes } from '../session-notes.ts';

const ROLES: Readonly<Record<string, string>> = { user: 'user', gemini: 'assistant' };
/** Said by the program, not in the conversation. */
const REMARKS: ReadonlySet<string> = new Set(['info', 'warning', 'error']);

/** The `session-*` files below `~/.gemini/tmp`: one document with its messages, or the session and a line for each message. */
export function createGeminiReader({ sourceId = UNNAMED_SESSION }: FormatOptions): FormatReader {
  const calls = createOpenCalls<SessionNotes>();
  let notes = createSessionNotes('gemini_cli', sourceId);

  function readMessage(message: Fields, place: number): Iterable<SessionItem> {
    const type = toText(message['type']) ?? '';
    const tokens = toFields(message['tokens']);
    const model = toText(message['model']);
    notes.label('model', model);
    const facts = {
      notes,
      externalId: boundedId(toText(message['id']) ?? placedId(place, message)),
      occurredAt: toTime(message['timestamp']),
      model,
      inputTokens: toCount(tokens['input']),
      outputTokens: toCount(tokens['output']),
    };
    return toChatItems(toChatMessage(message, ROLES[type] ?? 'system'), facts, calls);
  }

  function readOne(message: Fields, place: number) {
    const unknown = findUnknown(message);
    return unknown === undefined ? { items: readMessage(message, place) } : { items: [], unknown };
  }

  return {
    read(record, place) {
      const fields = toFields(record);
      const id = toText(fields['sessionId']);
      if (id !== undefined) {
        notes = createSessionNotes('gemini_cli', id);
        notes.title = firstText(fields['summary']);
        if (!Array.isArray(fields['messages'])) return NOTHING;
      }
      // Lines that only change what is known of the session.
      if ('$set' in fields || '$rewindTo' in fields) return NOTHING;
      if (!Array.isArray(fields['messages'])) return readOne(fields, place);
      const messages = toList(fields['messages']);
      const unknown = messages.map((message) => findUnknown(toFields(message))).find((kind) => kind !== undefined);
      const items = readEach(messages, (message, index) => readOne(message, index).items);
      return { items, ...(unknown === undefined ? {} : { unknown }) };
    },
    end: () => calls.close().map(toItem),
  };
}

/** The kind of a message that is of none known here. */
function findUnknown(message: Fields): string | undefined {
  const type = toText(message['type']) ?? '';
  if (type in ROLES || REMARKS.has(type)) return undefined;
  return type === '' ? 'no type' : type;
}

function toChatMessage(message: Fields, role: string): ChatMessage {
  const thoughts = toList(message['thoughts']).map((thought) => {
    const { subject, description } = toFields(thought);
    return {
      type: 'thinking',
      thinking: [subject, description].filter((text) => toText(text) !== undefined).join('\n'),
    };
  });
  const { content } = message;
  const said = typeof content === 'string' ? [{ type: 'text', text: content }] : toList(content).map(toBlock);
  const made = toList(message['toolCalls']).map(toFields);
  return {
    role,
    content: cleanBlocks([...thoughts, ...said]),
    calls: made.map((call) => ({
      callId: toText(call['id']),
      toolName: toToolName(call['name']),
      arguments: cleanToolValue(call['args']),
    })),
    results: made
      .filter((call) => call['result'] !== undefined && toText(call['id']) !== undefined)
      .map((call) => ({
        callId: toText(call['id']),
        result: readResult(readAnswer(call['result'])),
        ...(call['status'] === 'error' ? { status: 'error' } : {}),
      })),
  };
}

function toBlock(part: unknown): unknown {
  const { text } = toFields(part);
  return typeof text === 'string' ? { type: 'text', text } : part;
}

/** `[{functionResponse: {response: {output}}}]`: what the tool gave. */
function readAnswer(result: unknown): unknown {
  const [first] = toList(result);
  const { response } = toFields(toFields(first)['functionResponse']);
  if (response === undefined || toList(result).length > 1) return result;
  return toFields(response)['output'] ?? response;
}
