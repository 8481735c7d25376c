import { firstText, isFields, toFields, toText, type Fields } from '../rules/json-access.ts';
import { joinStream } from './stream-events.ts';

export interface Exchange {
  readonly request: Fields;
  readonly response: Fields;
}

/** The pair as proxies log it, as stored completions and batches have it, the response alone, or the request of a batch. */
export function findExchange(record: Fields): Exchange | undefined {
  const batched = findBatchResult(record);
  if (batched !== undefined) return { request: {}, response: batched };
  const response = unwrapBody(toAnswer(record['response'] ?? record['output'] ?? record['completion']));
  const request = unwrapBody(toFields(record['request'] ?? record['input'] ?? record['prompt']));
  if (isAnswer(response) || (toText(record['custom_id']) !== undefined && isFields(response['error']))) {
    return { request, response };
  }
  if (isRequest(request)) return { request, response };
  const sent = toFields(record['body']);
  if (toText(record['url']) !== undefined && isRequest(sent)) return { request: sent, response: {} };
  return isAnswer(record) ? { request: {}, response: record } : undefined;
}

/** What was streamed is joined. */
function toAnswer(value: unknown): Fields {
  return isFields(value) ? value : (joinStream(value) ?? {});
}

/** A line of a batch: of Anthropic's Message Batches `{custom_id, result}`, of OpenAI's one that failed `{custom_id, error}`. */
function findBatchResult(record: Fields): Fields | undefined {
  if (toText(record['custom_id']) === undefined) return undefined;
  const result = toFields(record['result']);
  if (isFields(result['message'])) return result['message'];
  const type = toText(result['type']);
  if (type !== undefined) return { error: result['error'] ?? { type } };
  return isFields(record['error']) && !isFields(record['response']) ? { error: record['error'] } : undefined;
}

function unwrapBody(value: Fields): Fields {
  return isFields(value['body']) ? value['body'] : value;
}

function isRequest(value: Fields): boolean {
  if (Array.isArray(value['messages'])) return true;
  return toText(value['model']) !== undefined && (Array.isArray(value['input']) || typeof value['input'] === 'string');
}

/** Of OpenAI's chat completions and Responses, of Anthropic's messages. */
function isAnswer(value: Fields): boolean {
  if (value['object'] === 'response') return Array.isArray(value['output']);
  return (
    Array.isArray(value['choices']) ||
    (value['type'] === 'message' && Array.isArray(value['content']) && value['usage'] !== undefined)
  );
}

/** The id of the conversation, where a record, its metadata or its API says one. */
export function findSessionId(record: Fields): string | undefined {
  const metadata = toFields(record['metadata']);
  const { conversation } = record;
  return firstText(
    record['session_id'],
    record['conversation_id'],
    record['thread_id'],
    metadata['session_id'],
    metadata['conversation_id'],
    metadata['thread_id'],
    isFields(conversation) ? conversation['id'] : conversation,
  );
}

/** Whether the call failed. */
export function hasError(record: Fields, response: Fields): boolean {
  return [response['error'], record['error']].some((error) => error !== undefined && error !== null);
}
