import { readChatMessage, readResult, toToolName, type ChatMessage } from '../rules/chat-message.ts';
import { cleanContent, cleanToolValue } from '../rules/clean-content.ts';
import { firstText, isFields, toFields, toList, toText, type Fields } from '../rules/json-access.ts';

/** Types of tool items that contain both the call and its result. */
const WHOLE_CALLS: ReadonlySet<string> = new Set([
  ...['web_search_call', 'tool_search_call', 'image_generation_call', 'mcp_call', 'mcp_list_tools'],
  ...['file_search_call', 'code_interpreter_call'],
]);
const CALLS: ReadonlySet<string> = new Set([
  ...['function_call', 'custom_tool_call', 'local_shell_call', 'shell_call', 'apply_patch_call', 'computer_call'],
  'mcp_approval_request',
]);
const RESULTS: ReadonlySet<string> = new Set([
  ...['function_call_output', 'custom_tool_call_output', 'local_shell_call_output', 'mcp_tool_call_output'],
  ...['shell_call_output', 'apply_patch_call_output', 'computer_call_output', 'tool_search_output'],
]);
/** Fields of an item that contain the input of its tool. */
const GIVEN = ['arguments', 'input', 'action', 'query', 'queries', 'code', 'operation', 'patch'];
/** Fields of an item that contain the output of its tool. */
const GAVE = ['output', 'outputs', 'results', 'tools', 'error'];
const NO_MESSAGE = { content: undefined, calls: [], results: [] } as const;

/** Reads an item; returns undefined for an item of an unknown type. */
export function readItem(item: Fields, type: string, ownId: string): ChatMessage | undefined {
  if (type === 'message') return readChatMessage(item);
  if (type === 'compacted') return { ...NO_MESSAGE, role: 'summary', content: toText(item['message']) };
  if (type === 'reasoning') return { ...NO_MESSAGE, role: 'assistant', content: readThoughts(item) };
  const callId = firstText(item['call_id'], item['id']) ?? ownId;
  if (RESULTS.has(type))
    return { ...NO_MESSAGE, role: 'tool', results: [{ callId, ...readOutput(findFirst(item, GAVE)) }] };
  const given = findFirst(item, GIVEN);
  const call = {
    callId,
    toolName: toToolName(item['name'] ?? type.replace(/_call$/, '')),
    arguments: cleanToolValue(given),
  };
  if (CALLS.has(type)) return { ...NO_MESSAGE, role: 'assistant', calls: [call] };
  if (!WHOLE_CALLS.has(type)) return undefined;
  const result = readResult(findFirst(item, GAVE));
  return { ...NO_MESSAGE, role: 'assistant', calls: [call], results: [{ callId, result }] };
}

function findFirst(item: Fields, names: readonly string[]): unknown {
  return names.map((name) => item[name]).find((value) => value !== undefined && value !== null);
}

/** Reads the visible part of the model's reasoning; most of it is encrypted. */
function readThoughts(item: Fields): unknown {
  const texts = [...toList(item['summary']), ...toList(item['content'])]
    .map((part) => toText(toFields(part)['text']))
    .filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : cleanContent([{ type: 'thinking', thinking: texts.join('\n') }]);
}

/** Reads the output of a tool: `{"output": "...", "metadata": {"exit_code": 0}}` as a JSON string, or plain text. */
function readOutput(output: unknown): { readonly result: unknown; readonly status?: string } {
  const result = readResult(isFields(output) && 'content' in output ? output['content'] : output);
  const code = toFields(toFields(result)['metadata'])['exit_code'];
  if (typeof code !== 'number') return { result };
  return { result, status: code === 0 ? 'ok' : 'error' };
}

/** Returns the text of an item or of its parts as one string. */
export function joinWords(item: Fields): string {
  const { content } = item;
  if (typeof content === 'string') return content;
  return [...toList(item['summary']), ...toList(content)]
    .map((part) => toText(toFields(part)['text']) ?? '')
    .filter((text) => text !== '')
    .join('\n');
}
