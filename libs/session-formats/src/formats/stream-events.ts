import { firstText, isFields, toFields, toList, toText, type Fields } from '../rules/json-access.ts';

/** Events of one streamed answer, joined to the answer as it would have come whole. */
export interface StreamJoin {
  /** True when this event ends the answer. */
  add(event: Fields): boolean;
  /** Undefined while nothing came. */
  answer(): Fields | undefined;
}

/** More of one answer is left out: a provider ends long before. */
const MOST_CHARS = 4 * 1024 * 1024;
const ANTHROPIC_EVENTS: ReadonlySet<unknown> = new Set([
  ...[
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ],
]);

export type StreamKind = 'responses' | 'chat' | 'anthropic';

/** Of which API an event is, as a line of its own. */
export function findStreamKind(record: Fields): StreamKind | undefined {
  const { type, object } = record;
  if (object === 'chat.completion.chunk' && Array.isArray(record['choices'])) return 'chat';
  if (ANTHROPIC_EVENTS.has(type)) return 'anthropic';
  return typeof type === 'string' && /^response\.[a-z_.]+$/.test(type) ? 'responses' : undefined;
}

/** Whether an answer begins here, whatever came before. */
export function beginsAnswer(record: Fields, before: Fields | undefined): boolean {
  const { type, id } = record;
  if (type === 'message_start' || type === 'response.created') return true;
  return findStreamKind(record) === 'chat' && before !== undefined && before['id'] !== id;
}

/** `data: {...}` lines, as a proxy logs what was streamed; a list of events; undefined for anything else. */
export function joinStream(value: unknown): Fields | undefined {
  const events = typeof value === 'string' ? readEventLines(value) : toList(value).map(toFields);
  const kind = findStreamKind(events[0] ?? {});
  if (kind === undefined) return undefined;
  const join = createStreamJoin(kind);
  for (const event of events) join.add(event);
  return join.answer();
}

function readEventLines(text: string): Fields[] {
  if (text.length > MOST_CHARS || !/^\s*(?:event|data|:)/.test(text)) return [];
  const events: Fields[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith('data:')) continue;
    try {
      events.push(toFields(JSON.parse(line.slice('data:'.length))));
    } catch {
      // `[DONE]`, or cut off.
    }
  }
  return events;
}

export function createStreamJoin(kind: StreamKind): StreamJoin {
  if (kind === 'responses') return joinResponses();
  return kind === 'chat' ? joinChat() : joinAnthropic();
}

/** Text in parts, bounded. */
function createText() {
  const parts: string[] = [];
  let length = 0;
  return {
    add(part: unknown) {
      if (typeof part !== 'string' || length > MOST_CHARS) return;
      length += part.length;
      parts.push(part);
    },
    read: () => parts.join(''),
  };
}

type Text = ReturnType<typeof createText>;

function textOf(texts: Map<string, Text>, key: string): Text {
  const text = texts.get(key) ?? createText();
  texts.set(key, text);
  return text;
}

const FINAL = /^response\.(?:completed|failed|incomplete|cancelled)$/;

/** The last event has all of it; before it items, and before these their text. */
function joinResponses(): StreamJoin {
  let response: Fields | undefined;
  let isFinal = false;
  const items = new Map<string, unknown>();
  const texts = new Map<string, Text>();
  return {
    add(event) {
      const type = toText(event['type']) ?? '';
      if (isFields(event['response'])) response = event['response'];
      else response ??= {};
      isFinal ||= FINAL.test(type);
      const place = String(event['output_index'] ?? items.size);
      if (type === 'response.output_item.done') items.set(place, event['item']);
      if (type === 'response.output_text.delta') textOf(texts, place).add(event['delta']);
      return isFinal;
    },
    answer() {
      if (response === undefined || isFinal) return response;
      const places = [...new Set([...items.keys(), ...texts.keys()])];
      const output = places.map((place) => items.get(place) ?? toMessage(texts.get(place)?.read()));
      return { object: 'response', ...response, status: 'incomplete', output };
    },
  };
}

function toMessage(text: string | undefined) {
  return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
}

function joinChat(): StreamJoin {
  let first: Fields | undefined;
  let usage: unknown;
  const texts = new Map<string, Text>();
  const calls = new Map<string, { id: unknown; name: unknown; text: Text }>();
  return {
    add(event) {
      first ??= event;
      usage = event['usage'] ?? usage;
      for (const choice of toList(event['choices']).map(toFields)) {
        const index = String(choice['index'] ?? 0);
        const delta = toFields(choice['delta']);
        textOf(texts, index).add(delta['content']);
        for (const call of toList(delta['tool_calls']).map(toFields)) {
          const key = `${index}:${String(call['index'] ?? 0)}`;
          const called = toFields(call['function']);
          const known = calls.get(key) ?? { id: call['id'], name: called['name'], text: createText() };
          known.text.add(called['arguments']);
          calls.set(key, known);
        }
      }
      return false;
    },
    answer() {
      if (first === undefined) return undefined;
      const choices = [...texts].map(([index, text]) => {
        const made = [...calls].filter(([key]) => key.startsWith(`${index}:`)).map(([, call]) => call);
        const tool_calls = made.map((call) => ({
          ...{ id: call.id, type: 'function' },
          function: { name: call.name, arguments: call.text.read() },
        }));
        const message = { role: 'assistant', content: text.read(), ...(tool_calls.length === 0 ? {} : { tool_calls }) };
        return { index: Number(index), message };
      });
      const { choices: _choices, object: _object, ...rest } = first;
      return { ...rest, object: 'chat.completion', choices, ...(usage === undefined ? {} : { usage }) };
    },
  };
}

function joinAnthropic(): StreamJoin {
  let message: Fields | undefined;
  let usage: Fields = {};
  let stopReason: unknown;
  const blocks = new Map<string, Fields>();
  const texts = new Map<string, Text>();
  return {
    add(event) {
      const type = event['type'];
      const index = String(event['index'] ?? 0);
      message ??= {};
      if (type === 'message_start') message = toFields(event['message']);
      if (type === 'message_start') usage = toFields(message['usage']);
      if (type === 'content_block_start') blocks.set(index, toFields(event['content_block']));
      if (type === 'content_block_delta') {
        const { text, thinking, partial_json: json } = toFields(event['delta']);
        textOf(texts, index).add(firstText(text, thinking, json));
      }
      if (type === 'message_delta') usage = { ...usage, ...toFields(event['usage']) };
      if (type === 'message_delta') stopReason = toFields(event['delta'])['stop_reason'];
      return type === 'message_stop';
    },
    answer() {
      if (message === undefined) return undefined;
      const places = [...new Set([...blocks.keys(), ...texts.keys()])];
      const content = places.map((place) => fillBlock(blocks.get(place) ?? {}, texts.get(place)?.read() ?? ''));
      return { type: 'message', role: 'assistant', ...message, content, usage, stop_reason: stopReason ?? null };
    },
  };
}

function fillBlock(block: Fields, text: string): Fields {
  const type = toText(block['type']) ?? 'text';
  if (type === 'thinking') return { ...block, thinking: text };
  if (type !== 'tool_use') return { ...block, type, text: text === '' ? block['text'] : text };
  try {
    return { ...block, input: text === '' ? block['input'] : (JSON.parse(text) as unknown) };
  } catch {
    return { ...block, input: text };
  }
}
