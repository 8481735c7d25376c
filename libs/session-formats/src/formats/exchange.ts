import { readJson } from '../rules/clean-content.ts';
import { firstText, isFields, toFields, toList, toText, type Fields } from '../rules/json-access.ts';
import { joinStream } from './stream-events.ts';

export interface Exchange {
  readonly request: Fields;
  readonly response: Fields;
}

/** Names of fields under which proxies and platforms log the request. */
const ASKED = ['request', 'input', 'prompt', 'request_body'];
/** Names of fields under which proxies and platforms log the response. */
const ANSWERED = ['response', 'output', 'completion', 'response_body'];
/** Matches the names of fields that describe a call without containing any of its content. */
const ABOUT =
  /^(?:id|object|model|provider|provider_name|metadata|tags|method|url|custom_id|usage|status|duration|latency|cost|[a-z]+_(?:id|at|time|ms)|timestamp|created)$/;

/**
 * Returns a request and its response from a line of a proxy log, a stored completion or a line of a batch. A record may
 * contain only a response, or only the request of a batch; the other part is then empty.
 */
export function findExchange(record: Fields): Exchange | undefined {
  const batched = findBatchResult(record);
  if (batched !== undefined) return { request: {}, response: batched };
  const [asked, answered] = [findNamed(record, ASKED), findNamed(record, ANSWERED)];
  const response = toAnswer(...answered);
  const beside = isRequest(record) && !isUiChat(record) ? dropNamed(record, ANSWERED) : undefined;
  const request = beside ?? toRequest(...asked);
  if (isAnswer(response) || (toText(record['custom_id']) !== undefined && isFields(response['error']))) {
    return { request, response };
  }
  if (beside !== undefined) return Object.keys(response).length > 0 ? { request, response } : findAnswer(record);
  if (isRequest(request))
    return { request, response: answered[1] === undefined ? listRest(record, asked[0]) : response };
  return findSent(record) ?? findAnswer(record);
}

/**
 * Returns whether a record contains UI messages (messages with `parts`). Such a record is not a request, even if it
 * also has fields of a request.
 */
function isUiChat(record: Fields): boolean {
  return toList(record['messages']).some((message) => Array.isArray(toFields(message)['parts']));
}

function findAnswer(record: Fields): Exchange | undefined {
  return isAnswer(record) ? { request: {}, response: record } : undefined;
}

/** Returns the request in a line of a batch for OpenAI or Anthropic. */
function findSent(record: Fields): Exchange | undefined {
  const sent = toFields(toText(record['url']) === undefined ? record['params'] : record['body']);
  return isRequest(sent) || isPrompt(sent) ? { request: sent, response: {} } : undefined;
}

function findNamed(record: Fields, names: readonly string[]): readonly [name: string, value: unknown] {
  const name = names.find((each) => record[each] !== undefined && record[each] !== null) ?? '';
  return [name, record[name]];
}

function dropNamed(record: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/**
 * Returns the other fields of a record that has a request but no response, for example a preferred response or a
 * person's correction.
 */
function listRest(record: Fields, asked: string): Fields {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== asked && !ABOUT.test(name)));
}

/**
 * Joins a stream, and parses JSON that was stored as a string. Wraps text or a list in an object, under the name of the
 * field in which it was logged.
 */
function toAnswer(name: string, value: unknown): Fields {
  const read = readJson(value) ?? value;
  if (isFields(read)) return unwrapBody(read, toAnswer);
  const joined = joinStream(read);
  return joined ?? (read === undefined || read === null ? {} : { [name]: read });
}

function toRequest(name: string, value: unknown): Fields {
  const read = readJson(value) ?? value;
  if (isFields(read)) return unwrapBody(read, toRequest);
  if (read === undefined || read === null) return {};
  return { [Array.isArray(read) ? 'messages' : name]: read };
}

/**
 * Returns the response in a line of a batch: `{custom_id, result}` of Anthropic's Message Batches, `{custom_id, error}`
 * of a failed OpenAI request.
 */
function findBatchResult(record: Fields): Fields | undefined {
  if (toText(record['custom_id']) === undefined) return undefined;
  const result = toFields(record['result']);
  if (isFields(result['message'])) return result['message'];
  const type = toText(result['type']);
  if (type !== undefined) return { error: result['error'] ?? { type } };
  return isFields(record['error']) && !isFields(record['response']) ? { error: record['error'] } : undefined;
}

function unwrapBody(value: Fields, read: (name: string, body: unknown) => Fields): Fields {
  const { body } = value;
  return isFields(body) || toText(body) !== undefined ? read('body', body) : value;
}

function isRequest(value: Fields): boolean {
  if (Array.isArray(value['messages'])) return true;
  return toText(value['model']) !== undefined && (Array.isArray(value['input']) || typeof value['input'] === 'string');
}

/** Returns whether a value is a request of OpenAI's legacy completions. */
function isPrompt(value: Fields): boolean {
  return toText(value['model']) !== undefined && value['prompt'] !== undefined;
}

/** Returns whether a value is a response of OpenAI's chat completions or Responses, or of Anthropic's messages. */
function isAnswer(value: Fields): boolean {
  if (value['object'] === 'response') return Array.isArray(value['output']);
  return (
    Array.isArray(value['choices']) ||
    (value['type'] === 'message' && Array.isArray(value['content']) && value['usage'] !== undefined)
  );
}

/** Returns the id of the conversation, if a record, its metadata or its `conversation` field contains one. */
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

/** Returns true if the call failed. */
export function hasError(record: Fields, response: Fields): boolean {
  return [response['error'], record['error']].some((error) => error !== undefined && error !== null);
}
