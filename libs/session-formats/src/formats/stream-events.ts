import { firstText, isFields, toFields, toList, toText, type Fields } from '../rules/json-access.ts';

/** Combines the events of one streamed response into the complete response. */
export interface StreamJoin {
  /** Adds an event. Returns true if the event ends the response. */
  add(event: Fields): boolean;
  /** Returns the response that results from the events so far; undefined if there was no event. */
  answer(): Fields | undefined;
}

/**
 * Maximum length of each text of a response, in characters; a longer text is truncated. If a whole stream was logged as
 * a longer string, it is not joined. Responses of providers are much shorter.
 */
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

/** Returns the API to which the event in a record belongs; undefined if the record is not an event. */
export function findStreamKind(record: Fields): StreamKind | undefined {
  const { type, object } = record;
  if (object === 'chat.completion.chunk' && Array.isArray(record['choices'])) return 'chat';
  if (ANTHROPIC_EVENTS.has(type)) return 'anthropic';
  return typeof type === 'string' && /^response\.[a-z_.]+$/.test(type) ? 'responses' : undefined;
}

/** Returns true if another response begins with this event, even if the previous one has not ended. */
export function beginsAnswer(record: Fields, before: Fields | undefined): boolean {
  const { type, id } = record;
  if (type === 'message_start' || type === 'response.created') return true;
  return findStreamKind(record) === 'chat' && before !== undefined && before['id'] !== id;
}

/**
 * Joins `data: {...}` lines, in which a proxy logs a stream, or a list of events; returns undefined for anything else.
 */
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
      // The line is `[DONE]`, or a truncated part.
    }
  }
  return events;
}

export function createStreamJoin(kind: StreamKind): StreamJoin {
  if (kind === 'responses') return joinResponses();
  return kind === 'chat' ? joinChat() : joinAnthropic();
}

/** Collects text in parts, with a limit. */
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

/** The field of an item to which an event appends text, and the default kind of that item. */
const DELTAS: Readonly<Record<string, readonly [field: string, kind: string]>> = {
  'response.output_text.delta': ['output_text', 'message'],
  'response.refusal.delta': ['refusal', 'message'],
  'response.output_audio_transcript.delta': ['transcript', 'message'],
  'response.audio.transcript.delta': ['transcript', 'message'],
  'response.reasoning_text.delta': ['reasoning_text', 'reasoning'],
  'response.reasoning_summary_text.delta': ['summary_text', 'reasoning'],
  'response.function_call_arguments.delta': ['arguments', 'function_call'],
  'response.mcp_call_arguments.delta': ['arguments', 'mcp_call'],
  'response.custom_tool_call_input.delta': ['input', 'custom_tool_call'],
  'response.code_interpreter_call_code.delta': ['code', 'code_interpreter_call'],
};

/**
 * Joins the events of the Responses API. The last event contains the whole response, earlier events contain single
 * items, and the events before an item contain the text of this item.
 */
function joinResponses(): StreamJoin {
  let response: Fields | undefined;
  let isFinal = false;
  const items = new Map<string, { item: Fields; isDone: boolean; readonly texts: Map<string, Text> }>();

  function note(place: string, item: Fields, isDone: boolean) {
    const known = items.get(place) ?? { item, isDone, texts: new Map<string, Text>() };
    if (isDone) Object.assign(known, { item, isDone });
    items.set(place, known);
    return known;
  }
  return {
    add(event) {
      const type = toText(event['type']) ?? '';
      if (isFields(event['response'])) response = event['response'];
      else response ??= {};
      isFinal ||= FINAL.test(type);
      const place = String(event['output_index'] ?? items.size);
      if (type === 'response.output_item.added') note(place, toFields(event['item']), false);
      if (type === 'response.output_item.done') note(place, toFields(event['item']), true);
      const delta = Object.hasOwn(DELTAS, type) ? DELTAS[type] : undefined;
      if (delta !== undefined) textOf(note(place, { type: delta[1] }, false).texts, delta[0]).add(event['delta']);
      return isFinal;
    },
    answer() {
      if (response === undefined || isFinal) return response;
      const output = [...items.values()].map(({ item, isDone, texts }) => (isDone ? item : fillItem(item, texts)));
      return { object: 'response', ...response, status: 'in_progress', output };
    },
  };
}

/** Adds the text received so far to a truncated item. */
function fillItem(item: Fields, texts: Map<string, Text>): Fields {
  const read = [...texts].map(([field, text]) => [field, text.read()] as const);
  const parts = read.map(([type, text]) => ({
    type,
    [type === 'refusal' || type === 'transcript' ? type : 'text']: text,
  }));
  if (item['type'] === 'message') return { role: 'assistant', ...item, content: parts };
  if (item['type'] === 'reasoning') return { ...item, summary: parts };
  return { ...item, ...Object.fromEntries(read) };
}

/** Text fields of a chat completions message; its deltas use the same names. */
const CHAT_WORDS = ['content', 'refusal', 'reasoning_content', 'reasoning'];

interface JoinedCall {
  readonly id: unknown;
  readonly type: string;
  readonly name: unknown;
  readonly text: Text;
}

function joinChat(): StreamJoin {
  let first: Fields | undefined;
  let usage: unknown;
  const choices = new Map<string, { readonly texts: Map<string, Text>; readonly calls: Map<string, JoinedCall> }>();

  function addCall(calls: Map<string, JoinedCall>, key: string, call: Fields): void {
    const type = isFields(call['custom']) ? 'custom' : 'function';
    const called = toFields(call[type] ?? call);
    const known = calls.get(key) ?? { id: call['id'], type, name: called['name'], text: createText() };
    known.text.add(called['arguments'] ?? called['input']);
    calls.set(key, known);
  }
  return {
    add(event) {
      first ??= event;
      usage = event['usage'] ?? usage;
      for (const choice of toList(event['choices']).map(toFields)) {
        const index = String(choice['index'] ?? 0);
        const { texts, calls } = choices.get(index) ?? {
          texts: new Map<string, Text>(),
          calls: new Map<string, JoinedCall>(),
        };
        choices.set(index, { texts, calls });
        const delta = toFields(choice['delta']);
        for (const name of CHAT_WORDS) if (toText(delta[name]) !== undefined) textOf(texts, name).add(delta[name]);
        const transcript = toFields(delta['audio'])['transcript'];
        if (toText(transcript) !== undefined) textOf(texts, 'transcript').add(transcript);
        if (isFields(delta['function_call'])) addCall(calls, 'alone', delta['function_call']);
        for (const call of toList(delta['tool_calls']).map(toFields)) addCall(calls, String(call['index'] ?? 0), call);
      }
      return false;
    },
    answer() {
      if (first === undefined) return undefined;
      const joined = [...choices].map(([index, { texts, calls }]) => ({
        index: Number(index),
        message: { role: 'assistant', content: '', ...readWords(texts), ...readCalls(calls) },
      }));
      const { choices: _choices, object: _object, ...rest } = first;
      return { ...rest, object: 'chat.completion', choices: joined, ...(usage === undefined ? {} : { usage }) };
    },
  };
}

function readWords(texts: Map<string, Text>): Fields {
  const words = [...texts].map(([name, text]) => [name, text.read()] as const);
  return Object.fromEntries(
    words.map(([name, text]) => (name === 'transcript' ? ['audio', { transcript: text }] : [name, text])),
  );
}

function readCalls(calls: Map<string, JoinedCall>): Fields {
  const alone = calls.get('alone');
  const listed = [...calls]
    .filter(([key]) => key !== 'alone')
    .map(([, { id, type, name, text }]) => ({
      ...{ id, type },
      [type]: { name, [type === 'custom' ? 'input' : 'arguments']: text.read() },
    }));
  return {
    ...(listed.length === 0 ? {} : { tool_calls: listed }),
    ...(alone === undefined ? {} : { function_call: { name: alone.name, arguments: alone.text.read() } }),
  };
}

function joinAnthropic(): StreamJoin {
  let message: Fields | undefined;
  let usage: Fields = {};
  let stopReason: unknown;
  const blocks = new Map<string, Fields>();
  const citations = new Map<string, readonly Fields[]>();
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
        const { text, thinking, partial_json: json, citation } = toFields(event['delta']);
        textOf(texts, index).add(firstText(text, thinking, json));
        if (isFields(citation)) citations.set(index, [...(citations.get(index) ?? []), citation]);
      }
      if (type === 'message_delta') usage = { ...usage, ...toFields(event['usage']) };
      if (type === 'message_delta') stopReason = toFields(event['delta'])['stop_reason'];
      return type === 'message_stop';
    },
    answer() {
      if (message === undefined) return undefined;
      const places = [...new Set([...blocks.keys(), ...texts.keys()])];
      const content = places.map((place) => {
        const block = fillBlock(blocks.get(place) ?? {}, texts.get(place)?.read() ?? '');
        return citations.has(place) ? { ...block, citations: citations.get(place) } : block;
      });
      return { type: 'message', role: 'assistant', ...message, content, usage, stop_reason: stopReason ?? null };
    },
  };
}

function fillBlock(block: Fields, text: string): Fields {
  const type = toText(block['type']) ?? 'text';
  if (type === 'thinking') return { ...block, thinking: text };
  if (!type.endsWith('tool_use')) return { ...block, type, text: text === '' ? block['text'] : text };
  try {
    return { ...block, input: text === '' ? block['input'] : (JSON.parse(text) as unknown) };
  } catch {
    return { ...block, input: text };
  }
}
