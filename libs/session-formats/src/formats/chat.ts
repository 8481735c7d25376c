import { UNNAMED_SESSION, type FormatOptions, type FormatReader, type ReadRecord } from '../format-reader.ts';
import { toChatItems, toItem } from '../rules/chat-entries.ts';
import { readChatMessage, toToolName } from '../rules/chat-message.ts';
import { cleanContent } from '../rules/clean-content.ts';
import { boundedId, hashContent, placedId } from '../rules/entry-id.ts';
import { readEach } from '../rules/read-each.ts';
import { readTokens } from '../rules/read-tokens.ts';
import { createRevisions } from '../rules/revisions.ts';
import { firstText, isFields, toFields, toList, toText, toTime, type Fields } from '../rules/json-access.ts';
import { createOpenCalls } from '../rules/open-calls.ts';
import type { SessionItem } from '../session-item.ts';
import { createSessionNotes, type SessionNotes } from '../session-notes.ts';
import { readItem } from './codex-items.ts';
import { findExchange, findSessionId, hasError, type Exchange } from './exchange.ts';
import { createStreamReader } from './stream-reader.ts';

/**
 * Reads messages of OpenAI and of Anthropic (one per record, or `{messages}` per record) and logs of their requests and
 * responses. If `sourceId` is set, all records belong to that session. Otherwise, single messages form one session, and
 * a list or log without a session id forms a separate one, unless the log continues a known response.
 */
export function createChatReader(
  sourceType: 'openai_chat' | 'anthropic_messages',
  { sourceId }: FormatOptions,
): FormatReader {
  const calls = createOpenCalls<SessionNotes>();
  const lone = createSessionNotes(sourceType, sourceId ?? UNNAMED_SESSION);
  const chains = createChains(sourceId);
  const revisions = createRevisions();
  const provider = sourceType === 'openai_chat' ? 'openai' : 'anthropic';

  function readMessage(notes: SessionNotes, given: Fields, place: string): Iterable<SessionItem> {
    const message = given['content'] === undefined ? { ...given, content: given['text'] } : given;
    const externalId = boundedId(toText(message['id']) ?? placedId(place, message));
    return toChatItems(
      readResponsesItem(message, externalId) ?? readChatMessage(message),
      {
        notes,
        externalId,
        revision: revisions.next(notes.head().sourceId, externalId),
        ...readTokens(toFields(message['usage'] ?? message['usage_metadata'])),
        occurredAt: toTime(message['created_at'], message['timestamp'], message['created']),
        model: toText(message['model']),
      },
      calls,
    );
  }

  function readConversation(record: Fields) {
    const messages = toList(record['messages']);
    if (messages.length > 0 && !messages.some(saysSomething)) return { items: [], unknown: 'no message' };
    const notes = createSessionNotes(sourceType, sourceId ?? findSessionId(record) ?? hashContent(messages));
    notes.label('model', record['model']);
    const system = record['system'] === undefined ? [] : [{ role: 'system', content: record['system'] }];
    const items = readEach([...system, ...messages], (message, index) => readMessage(notes, message, String(index)));
    return { items, ...findUnknown(messages) };
  }

  function readLog(record: Fields, { request, response }: Exchange): ReadRecord {
    const model = firstText(response['model'], request['model']);
    const notes = createSessionNotes(sourceType, chains.nameSession(record, { request, response }));
    notes.label('model', model);
    const entry = {
      kind: 'interaction',
      externalId: boundedId(firstText(response['id'], record['id'], record['custom_id']) ?? hashContent(record)),
      occurredAt: toTime(
        ...[record['timestamp'], record['created_at'], record['start_time']],
        ...[response['created'], response['created_at']],
      ),
      model: toToolName(model),
      provider: toToolName(firstText(record['provider'], record['provider_name']) ?? provider),
      request: cleanContent(request),
      response: cleanContent(response),
      status: hasError(record, response) ? 'error' : 'ok',
      revision: isUnderWay(response) ? 0 : ENDED,
      ...readTokens(toFields(response['usage'] ?? record['usage'])),
    } as const;
    return { items: [{ session: notes.head(), entry }] };
  }

  const streams = createStreamReader((response) => readLog(response, { request: {}, response }).items);

  function readWhole(record: Fields, place: number): ReadRecord {
    const exchange = findExchange(record);
    if (exchange !== undefined) return readLog(record, exchange);
    if (Array.isArray(record['messages'])) return readConversation(record);
    const isMessage = toText(record['role']) !== undefined && saysSomething(record);
    if (isMessage || readResponsesItem(record, '') !== undefined)
      return { items: readMessage(lone, record, String(place)) };
    return { items: [], unknown: firstText(record['object'], record['type']) ?? 'no message' };
  }

  return {
    read(record, place) {
      if (!isFields(record)) return { items: [], unknown: 'no object' };
      return streams.read(record) ?? streams.before(readWhole(record, place));
    },
    end: () => [...streams.end(), ...calls.close().map(toItem)],
  };
}

const WORDS = [
  ...['content', 'text', 'refusal', 'tool_calls', 'function_call', 'audio', 'type'],
  ...['reasoning_content', 'reasoning', 'thinking'],
];

/**
 * Revision of a complete response, higher than the revision of any incomplete version of it, wherever that version was
 * truncated.
 */
const ENDED = 16 * 1024 * 1024;

function isUnderWay({ status }: Fields): boolean {
  return status === 'in_progress' || status === 'queued';
}

/** Returns true if the message has any content. */
function saysSomething(message: unknown): boolean {
  return WORDS.some((name) => (toFields(message)[name] ?? undefined) !== undefined);
}

/** Returns the type of the first unknown item of a Responses call. */
function findUnknown(messages: readonly unknown[]): { readonly unknown?: string } {
  const unknown = messages.map(toFields).find(({ role, type }) => {
    const kind = toText(role) === undefined ? toText(type) : undefined;
    return kind !== undefined && readItem({}, kind, '') === undefined;
  });
  return unknown === undefined ? {} : { unknown: String(unknown['type']) };
}

/**
 * Reads an item: the input of a Responses call, and the sessions of OpenAI's agents, contain calls, results and
 * thoughts as separate items next to the messages.
 */
function readResponsesItem(item: Fields, externalId: string) {
  const type = toText(item['type']);
  return type === undefined || toText(item['role']) !== undefined ? undefined : readItem(item, type, externalId);
}

/** Maximum number of responses whose session is remembered. */
const MOST_CHAINS = 10_000;

/** Determines the sessions of responses: a response that continues another response belongs to the same session. */
function createChains(sourceId: string | undefined) {
  const chains = new Map<string, string>();
  return {
    nameSession(record: Fields, { request, response }: Exchange): string {
      const former = firstText(response['previous_response_id'], request['previous_response_id']);
      const named = [record, request, response].map(findSessionId);
      const own = toText(response['id']);
      // A response that is streamed, or that a client polls until it is complete, keeps its id while it grows.
      const isGrowing = own !== undefined && (record === response || response['object'] === 'response');
      const content = isGrowing ? own : record;
      const id = sourceId ?? firstText(...named, former && chains.get(former)) ?? hashContent(content);
      if (own !== undefined) chains.set(own, id);
      const [oldest] = chains.keys();
      if (chains.size > MOST_CHAINS && oldest !== undefined) chains.delete(oldest);
      return id;
    },
  };
}
