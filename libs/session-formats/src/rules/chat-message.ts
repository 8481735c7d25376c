import { cleanContent, cleanToolValue } from './clean-content.ts';
import { firstText, isFields, toFields, toList, toText, type Fields } from './json-access.ts';

/** A parsed message of a conversation: its text, tool calls, and tool results. */
export interface ChatMessage {
  readonly role: string;
  /** Text and other blocks of the message. Undefined if it contains only calls and results. */
  readonly content: unknown;
  readonly calls: readonly ChatCall[];
  readonly results: readonly ChatResult[];
}

export interface ChatCall {
  readonly callId: string | undefined;
  /** True if the call has no id, so that its result names the tool instead. */
  readonly isNamed?: boolean;
  readonly toolName: string;
  readonly arguments: unknown;
}

export interface ChatResult {
  readonly callId: string | undefined;
  readonly result: unknown;
  readonly status?: string;
}

const MOST_NAME_CHARS = 255;
const MOST_ROLE_CHARS = 64;

/** Reads messages of OpenAI and Anthropic, and the similar model messages of the Vercel SDK. */
export function readChatMessage(message: Fields): ChatMessage {
  const role = (toText(message['role']) ?? 'unknown').slice(0, MOST_ROLE_CHARS);
  if ((role === 'tool' || role === 'function') && !hasBlockResults(message['content'])) {
    const callId = firstText(message['tool_call_id'], message['name']);
    return { role, content: undefined, calls: [], results: [{ callId, result: readResult(message['content']) }] };
  }
  const blocks = toList(message['content']);
  const words = blocks.filter((block) => !isCall(block) && !isResult(block));
  const thoughts = firstText(message['reasoning_content'], message['reasoning'], message['thinking']);
  const said = [
    ...(thoughts === undefined ? [] : [{ type: 'thinking', thinking: thoughts }]),
    ...(blocks.length > 0 ? words : []),
  ];
  const texts = [
    blocks.length > 0 ? undefined : message['content'],
    message['refusal'],
    toFields(message['audio'])['transcript'],
  ];
  const plain = texts.filter((text) => toText(text) !== undefined).join('\n') || undefined;
  return {
    role,
    content: joinContent(said, plain),
    calls: [...blocks.filter(isCall).map(readBlockCall), ...readListedCalls(message)],
    results: blocks.filter(isResult).map(readBlockResult),
  };
}

export function toToolName(value: unknown): string {
  return (toText(value) ?? 'unknown').slice(0, MOST_NAME_CHARS);
}

function joinContent(said: readonly unknown[], plain: string | undefined): unknown {
  if (said.length === 0) return plain === undefined ? undefined : cleanContent(plain);
  return cleanBlocks(plain === undefined ? said : [...said, { type: 'text', text: plain }]);
}

const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/** Returns the blocks of a message; a single text block becomes its text, and empty content becomes undefined. */
export function cleanBlocks(said: readonly unknown[]): unknown {
  const blocks = toList(cleanContent(said)).filter((block) => !isEmptyBlock(block));
  if (blocks.length === 0) return undefined;
  const only = toFields(blocks[0]);
  const isText = TEXT_TYPES.has(only['type']) && 'text' in only && !('synthetic' in only);
  return blocks.length === 1 && isText ? only['text'] : blocks;
}

/**
 * Returns true for a text block without text, and for a reasoning block without text, which contained only a signature.
 */
function isEmptyBlock(block: unknown): boolean {
  const { type, text, thinking } = toFields(block);
  return (type === 'thinking' && thinking === '') || (TEXT_TYPES.has(type) && text === '');
}

function typeOf(block: unknown): string {
  return toText(toFields(block)['type']) ?? '';
}

function isCall(block: unknown): block is Fields {
  return isFields(block) && (typeOf(block).endsWith('tool_use') || typeOf(block) === 'tool-call');
}

function isResult(block: unknown): block is Fields {
  return isFields(block) && (typeOf(block).endsWith('tool_result') || typeOf(block) === 'tool-result');
}

function hasBlockResults(content: unknown): boolean {
  return toList(content).some(isResult);
}

function readBlockCall(block: Fields): ChatCall {
  return {
    callId: firstText(block['id'], block['toolCallId']),
    toolName: toToolName(block['name'] ?? block['toolName']),
    arguments: cleanToolValue(block['input'] ?? block['args']),
  };
}

function readBlockResult(block: Fields): ChatResult {
  const callId = firstText(block['tool_use_id'], block['toolCallId']);
  const result = readResult(block['content'] ?? block['output'] ?? block['result']);
  const isError = block['is_error'] === true || block['isError'] === true;
  return { callId, result, ...(isError ? { status: 'error' } : {}) };
}

/** Reads the calls in `tool_calls`, and the single call in its predecessor, `function_call`. */
function readListedCalls(message: Fields): ChatCall[] {
  const calls = toList(message['tool_calls']).map(toFields);
  const old = message['function_call'];
  return [
    ...calls.map((call) => {
      const called = toFields(call['function'] ?? call['custom'] ?? call);
      return {
        callId: toText(call['id']),
        toolName: toToolName(called['name']),
        arguments: cleanToolValue(called['arguments'] ?? called['input'] ?? called['args']),
      };
    }),
    ...(isFields(old)
      ? [
          {
            callId: undefined,
            isNamed: true,
            toolName: toToolName(old['name']),
            arguments: cleanToolValue(old['arguments']),
          },
        ]
      : []),
  ];
}

/**
 * Returns the result of a tool: a list that contains only text blocks is replaced by their text, and a JSON string is
 * parsed.
 */
export function readResult(content: unknown): unknown {
  const blocks = toList(content);
  const texts = blocks.map((block) => (isFields(block) ? toText(block['text']) : undefined));
  const isText = blocks.length > 0 && texts.every((text) => text !== undefined);
  return cleanToolValue(isText ? texts.join('\n') : content);
}
