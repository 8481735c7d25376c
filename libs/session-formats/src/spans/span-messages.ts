import type { OtlpEvent, OtlpSpan } from '@steward/otlp';
import { cleanContent, readJson } from '../rules/clean-content.ts';
import { firstText, isFields, toFields, toList, toText, type Fields } from '../rules/json-access.ts';
import { SDK_CONVENTIONS } from './sdk-messages.ts';
import { unflatten } from './unflatten.ts';

/** Input and output of a call as lists of messages, read from any supported convention. */
export interface SpanMessages {
  readonly input: readonly unknown[];
  readonly output: readonly unknown[];
}

export type ReadMessages = (span: OtlpSpan) => { readonly input?: unknown; readonly output?: unknown };

/**
 * Supported conventions. The first convention that has content is used; it is determined separately for input and
 * output.
 */
const CONVENTIONS: readonly ReadMessages[] = [
  ({ attributes }) => readCurrent(attributes),
  ({ events }) => ({
    ...readCurrent(events.find(({ name }) => name === 'gen_ai.client.inference.operation.details')?.attributes ?? {}),
  }),
  ({ events }) => readEvents(events),
  // Pydantic AI up to 0.8 stores the events in an attribute.
  ({ attributes }) => readEvents(listEvents(attributes['events'])),
  ({ attributes }) => ({
    input: unflatten(attributes, 'llm.input_messages') ?? unflatten(attributes, 'gen_ai.prompt'),
    output: unflatten(attributes, 'llm.output_messages') ?? unflatten(attributes, 'gen_ai.completion'),
  }),
  ({ attributes }) => ({
    input: unflatten(attributes, 'llm.prompts'),
    output: unflatten(attributes, 'llm.completions'),
  }),
  ({ attributes }) => ({
    input:
      attributes['ai.prompt.messages'] ?? attributes['ai.prompt'] ?? attributes['ai.values'] ?? attributes['ai.value'],
    output: readVercelAnswer(attributes),
  }),
  ...SDK_CONVENTIONS,
  ({ attributes }) => ({
    input: attributes['gen_ai.prompt'] ?? attributes['traceloop.entity.input'] ?? attributes['input.value'],
    output: attributes['gen_ai.completion'] ?? attributes['traceloop.entity.output'] ?? attributes['output.value'],
  }),
];

export function readSpanMessages(span: OtlpSpan): SpanMessages {
  let input: readonly unknown[] = [];
  let output: readonly unknown[] = [];
  for (const read of CONVENTIONS) {
    const found = read(span);
    if (input.length === 0) input = toMessages(found.input, 'user');
    if (output.length === 0) output = toMessages(found.output, 'assistant');
  }
  return { input, output };
}

function readCurrent(attributes: Fields) {
  const system = toMessages(attributes['gen_ai.system_instructions'], 'system');
  const said = toMessages(attributes['gen_ai.input.messages'], 'user');
  const instructions = system.length > 0 && !('role' in toFields(system[0])) ? joinParts('system', system) : system;
  return { input: [...instructions, ...said], output: attributes['gen_ai.output.messages'] };
}

const SAID = /^gen_ai\.(system|user|assistant|tool)\.message$/;

function readInputEvent({ name, attributes }: OtlpEvent): unknown[] {
  if (name === 'gen_ai.content.prompt') return [...toMessages(attributes['gen_ai.prompt'], 'user')];
  const role = SAID.exec(name)?.[1];
  return role === undefined ? [] : [{ role, ...readEventBody(attributes) }];
}

function readOutputEvent({ name, attributes }: OtlpEvent): unknown[] {
  if (name === 'gen_ai.content.completion') return [...toMessages(attributes['gen_ai.completion'], 'assistant')];
  if (name !== 'gen_ai.choice') return [];
  const body = readEventBody(attributes);
  const message = readJson(body['message']) ?? body['message'];
  return [
    { role: 'assistant', ...(isFields(message) ? message : message === undefined ? body : { content: message }) },
  ];
}

function readEvents(events: readonly OtlpEvent[]) {
  return { input: events.flatMap(readInputEvent), output: events.flatMap(readOutputEvent) };
}

/** Reads `[{"event.name": "gen_ai.user.message", "content": "..."}]`. */
export function listEvents(value: unknown): OtlpEvent[] {
  return toList(readJson(value))
    .map(toFields)
    .map(({ 'event.name': name, ...attributes }) => ({ name: toText(name) ?? '', attributes }) as OtlpEvent);
}

/**
 * Returns the body of an event, which older conventions store in one attribute; if there is no such attribute, returns
 * the attributes of the event.
 */
function readEventBody(attributes: Fields): Fields {
  const body = readJson(attributes['gen_ai.event.content']) ?? readJson(attributes['event_body']);
  if (isFields(body)) return body;
  const kept = Object.entries(attributes).filter(([name]) => !name.startsWith('gen_ai.') && name !== 'index');
  return Object.fromEntries(kept.map(([name, value]) => [name, readJson(value) ?? value]));
}

function readVercelAnswer(attributes: Fields): unknown {
  const content = attributes['ai.response.text'] ?? attributes['ai.response.object'];
  const calls = toList(readJson(attributes['ai.response.toolCalls']));
  if (content === undefined && calls.length === 0) return undefined;
  return [
    {
      role: 'assistant',
      ...(content === undefined ? {} : { content }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ];
}

/** Reads a list of messages, one message, or plain text, as values or as a JSON string. */
function toMessages(value: unknown, role: string): readonly unknown[] {
  if (value === undefined || value === null || value === '') return [];
  const given = readJson(value) ?? value;
  if (typeof given === 'string') return [{ role, content: cleanContent(given) }];
  const isMessage = toText(toFields(given)['role']) !== undefined;
  const list = isMessage ? [given] : Array.isArray(given) ? (given as unknown[]) : toList(toFields(given)['messages']);
  if (list.length === 0) return Array.isArray(given) ? [] : [{ role, content: cleanContent(given) }];
  return list.map((each) =>
    isFields(each) ? cleanContent(simplify(unwrap(each))) : { role, content: cleanContent(each) },
  );
}

const WRAPPERS = ['message', 'message_content', 'tool_call'];

/** Removes the outer object with which OpenInference names the kind of each entry of a list: `{message: {...}}`. */
function unwrap(value: unknown, depth = 0): unknown {
  if (depth > 20) return value;
  if (Array.isArray(value)) return value.map((entry) => unwrap(entry, depth + 1));
  if (!isFields(value)) return value;
  const [only, ...more] = Object.keys(value);
  if (only !== undefined && more.length === 0 && WRAPPERS.includes(only)) return unwrap(value[only], depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name === 'contents' ? 'content' : name, unwrap(entry, depth + 1)]),
  );
}

/**
 * Returns a message whose `parts` have become `content`: their text, if all of them are text, otherwise the parts
 * themselves.
 */
function simplify(message: unknown): unknown {
  if (!isFields(message) || !Array.isArray(message['parts'])) return message;
  const { parts, ...rest } = message;
  return joinParts(toText(rest['role']) ?? 'assistant', toList(parts), rest)[0];
}

function joinParts(role: string, parts: readonly unknown[], rest: Fields = {}): unknown[] {
  const texts = parts.map((part) => {
    const { type, content, text } = toFields(part);
    if (type === 'text') return firstText(content, text);
    return type === undefined && Object.keys(toFields(part)).length === 1 ? toText(text) : undefined;
  });
  const isText = texts.length > 0 && texts.every((text) => text !== undefined);
  return [{ ...rest, role, content: isText ? texts.join('\n') : parts }];
}
