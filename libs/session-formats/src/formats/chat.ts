import { UNNAMED_SESSION, type FormatOptions, type FormatReader } from '../format-reader.ts';
import { toChatItems, toItem } from '../rules/chat-entries.ts';
import { readChatMessage, toToolName } from '../rules/chat-message.ts';
import { cleanContent } from '../rules/clean-content.ts';
import { boundedId, hashContent, placedId } from '../rules/entry-id.ts';
import { readEach } from '../rules/read-each.ts';
import { firstText, isFields, toCount, toFields, toList, toText, toTime, type Fields } from '../rules/json-access.ts';
import { createOpenCalls } from '../rules/open-calls.ts';
import type { SessionItem } from '../session-item.ts';
import { createSessionNotes, type SessionNotes } from '../session-notes.ts';

/**
 * Messages of OpenAI and of Anthropic (one a record, or `{messages}` a record) and logs of their requests and responses. What
 * names no session belongs to that of the caller; a list of messages without one is a session of its own.
 */
export function createChatReader(
  sourceType: 'openai_chat' | 'anthropic_messages',
  { sourceId }: FormatOptions,
): FormatReader {
  const calls = createOpenCalls<SessionNotes>();
  const lone = createSessionNotes(sourceType, sourceId ?? UNNAMED_SESSION);
  const provider = sourceType === 'openai_chat' ? 'openai' : 'anthropic';

  function readMessage(notes: SessionNotes, message: Fields, place: string): Iterable<SessionItem> {
    return toChatItems(
      readChatMessage(message),
      {
        notes,
        externalId: boundedId(toText(message['id']) ?? placedId(place, message)),
        occurredAt: toTime(message['created_at'], message['timestamp'], message['created']),
        model: toText(message['model']),
      },
      calls,
    );
  }

  function readConversation(record: Fields) {
    const messages = toList(record['messages']);
    const notes = createSessionNotes(sourceType, sourceId ?? findSessionId(record) ?? hashContent(messages));
    notes.label('model', record['model']);
    const system = record['system'] === undefined ? [] : [{ role: 'system', content: record['system'] }];
    return {
      items: readEach([...system, ...messages], (message, index) => readMessage(notes, message, String(index))),
    };
  }

  function readLog(record: Fields, { request, response }: Exchange) {
    const usage = toFields(response['usage']);
    const model = firstText(response['model'], request['model']);
    const id = sourceId ?? findSessionId(record) ?? findSessionId(request) ?? hashContent(record);
    const notes = createSessionNotes(sourceType, id);
    notes.label('model', model);
    const error = response['error'] ?? record['error'];
    const entry = {
      kind: 'interaction',
      externalId: boundedId(firstText(response['id'], record['id']) ?? hashContent(record)),
      occurredAt: toTime(record['timestamp'], record['created_at'], record['start_time'], response['created']),
      model: toToolName(model),
      provider: toToolName(firstText(record['provider'], record['provider_name']) ?? provider),
      request: cleanContent(request),
      response: cleanContent(response),
      status: error === undefined || error === null ? 'ok' : 'error',
      inputTokens: toCount(usage['input_tokens'], usage['prompt_tokens']),
      outputTokens: toCount(usage['output_tokens'], usage['completion_tokens']),
    } as const;
    return { items: [{ session: notes.head(), entry }] };
  }

  return {
    read(record, place) {
      if (!isFields(record)) return { items: [], unknown: 'no object' };
      const exchange = findExchange(record);
      if (exchange !== undefined) return readLog(record, exchange);
      if (Array.isArray(record['messages'])) return readConversation(record);
      if (toText(record['role']) !== undefined) return { items: readMessage(lone, record, String(place)) };
      return { items: [], unknown: firstText(record['object'], record['type']) ?? 'no message' };
    },
    end: () => calls.close().map(toItem),
  };
}

export interface Exchange {
  readonly request: Fields;
  readonly response: Fields;
}

/** The pair as proxies log it, as stored completions and batches have it, or the response alone. */
export function findExchange(record: Fields): Exchange | undefined {
  const response = record['response'] ?? record['output'] ?? record['completion'];
  const request = record['request'] ?? record['input'] ?? record['prompt'];
  if (isFields(response) && isAnswer(unwrapBody(response))) {
    return { request: unwrapBody(toFields(request)), response: unwrapBody(response) };
  }
  if (isFields(request) && Array.isArray(unwrapBody(request)['messages'])) {
    return { request: unwrapBody(request), response: unwrapBody(toFields(response)) };
  }
  return isAnswer(record) ? { request: {}, response: record } : undefined;
}

function unwrapBody(value: Fields): Fields {
  return isFields(value['body']) ? value['body'] : value;
}

function isAnswer(value: Fields): boolean {
  return (
    Array.isArray(value['choices']) ||
    (value['type'] === 'message' && Array.isArray(value['content']) && value['usage'] !== undefined)
  );
}

function findSessionId(record: Fields): string | undefined {
  const metadata = toFields(record['metadata']);
  return firstText(
    record['session_id'],
    record['conversation_id'],
    record['thread_id'],
    metadata['session_id'],
    metadata['conversation_id'],
    metadata['thread_id'],
  );
}
