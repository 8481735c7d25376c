import { nameForeign } from './foreign-formats.ts';
import { findExchange, type Exchange } from './formats/exchange.ts';
import { isExecEvent } from './formats/codex-exec.ts';
import { isStreamLine } from './formats/claude-stream.ts';
import { findStreamKind } from './formats/stream-events.ts';
import { isFields, toFields, toList, toText, type Fields } from './rules/json-access.ts';
import type { SessionFormat } from './session-item.ts';

const CLAUDE_CODE_TYPES: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'summary']);
/** Types of lines of Claude Code whose only distinguishing mark is their session; files may begin with such lines. */
const CLAUDE_CODE_STATE =
  /^(queue-operation|attachment|last-prompt|permission-mode|mode|agent-name|agent-setting|custom-title|ai-title|progress|tag|pr-link|worktree-state)$/;
const CODEX_TYPES: ReadonlySet<string> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
  'token_usage_record',
]);

/** Returns the format of a record; undefined if it cannot be determined, in which case the next record is checked. */
export function recogniseFormat(value: unknown): SessionFormat | undefined {
  if (!isFields(value)) return undefined;
  if (nameForeign(value) !== undefined) return undefined;
  const type = toText(value['type']) ?? '';
  if (isClaudeCode(value, type) || isStreamLine(value)) return 'claude_code';
  if (isCodex(value, type) || (type !== 'error' && isExecEvent(value))) return 'codex';
  if (isGemini(value)) return 'gemini_cli';
  if (isOpenCode(value)) return 'opencode';
  if (isCursor(value, type)) return 'cursor';
  if (isRun(value) || isRun(toList(value['runs'])[0])) return 'langsmith';
  if (isSteward(value)) return 'steward';
  return recogniseChat(value);
}

function recogniseChat(value: Fields): SessionFormat | undefined {
  const streamed = findStreamKind(value);
  if (streamed !== undefined) return streamed === 'anthropic' ? 'anthropic_messages' : 'openai_chat';
  const exchange = findExchange(value);
  return exchange === undefined ? recogniseMessages(value) : recogniseExchange(exchange, value);
}

function recogniseExchange({ request, response }: Exchange, value: Fields): SessionFormat {
  if (Array.isArray(response['choices'])) return 'openai_chat';
  return response['type'] === 'message' || looksAnthropic(request) || isAnthropicBatch(value)
    ? 'anthropic_messages'
    : 'openai_chat';
}

/** Returns true for a result of Anthropic's batches. The result of a failed request has no message. */
function isAnthropicBatch(value: Fields): boolean {
  return toText(value['custom_id']) !== undefined && isFields(value['result']);
}

/** Returns the format of one message, or of a list of messages. */
function recogniseMessages(value: Fields): SessionFormat | undefined {
  const listed = Array.isArray(value['messages']) ? value['messages'].map(toFields) : [value];
  const messages = listed.filter((message) => toText(message['role']) !== undefined);
  if (messages.length === 0) return undefined;
  if (messages.some((message) => Array.isArray(message['parts']) || Array.isArray(message['toolInvocations'])))
    return 'vercel_ui';
  if (messages.some(isSteward)) return 'steward';
  return looksAnthropic(value) || messages.some(hasAnthropicBlocks) ? 'anthropic_messages' : 'openai_chat';
}

function isClaudeCode(value: Fields, type: string): boolean {
  if (type === 'summary') return toText(value['leafUuid']) !== undefined;
  const isLine = toText(value['uuid']) !== undefined && ('parentUuid' in value || 'sessionId' in value);
  if (CLAUDE_CODE_STATE.test(type) && toText(value['sessionId']) !== undefined) return true;
  const isSaid = (type === 'user' || type === 'assistant') && toFields(value['message'])['content'] !== undefined;
  if (isSaid && value['timestamp'] !== undefined) return true;
  return (CLAUDE_CODE_TYPES.has(type) && isLine) || (type === 'file-history-snapshot' && 'messageId' in value);
}

function isCodex(value: Fields, type: string): boolean {
  if (isFields(value['payload'])) return CODEX_TYPES.has(type);
  const isFirstLine = toText(value['id']) !== undefined && 'instructions' in value && 'timestamp' in value;
  return isFirstLine || value['record_type'] === 'state' || type === 'function_call_output';
}

function isGemini(value: Fields): boolean {
  return toText(value['sessionId']) !== undefined && toText(value['projectHash']) !== undefined;
}

/** Returns true for an export of OpenCode, or for a part of one: the session or a message. */
function isOpenCode(value: Fields): boolean {
  const info = toFields(value['info']);
  if (Array.isArray(value['parts'])) return toText(info['sessionID']) !== undefined;
  return toText(info['id']) !== undefined && toText(info['directory']) !== undefined;
}

/**
 * Returns true for a line of Cursor: an Anthropic message with an outer role and, unlike lines of Claude Code, without
 * a type.
 */
function isCursor(value: Fields, type: string): boolean {
  const isMessage = isFields(value['message']) && value['message']['content'] !== undefined;
  return type === '' && isMessage && toText(value['role']) !== undefined && value['content'] === undefined;
}

function isRun(value: unknown): boolean {
  return toText(toFields(value)['run_type']) !== undefined;
}

function isSteward(value: Fields): boolean {
  if (value['record'] === 'session' && toText(value['session_source_id']) !== undefined) return true;
  return ['external_id', 'occurred_at', 'model_alias', 'tool_name'].some((key) => toText(value[key]) !== undefined);
}

const ANTHROPIC_BLOCKS: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking']);

function hasAnthropicBlocks(message: Fields): boolean {
  return toList(message['content']).some((block) => ANTHROPIC_BLOCKS.has(toFields(block)['type']));
}

/**
 * Returns true for a request of Anthropic's API. Only its requests have a `system` field next to the messages, or a
 * model name that begins with `claude`.
 */
function looksAnthropic(request: Fields): boolean {
  return request['system'] !== undefined || (toText(request['model']) ?? '').startsWith('claude');
}
