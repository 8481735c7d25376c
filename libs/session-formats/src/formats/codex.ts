import { NOTHING, UNNAMED_SESSION, type FormatOptions, type FormatReader } from '../format-reader.ts';
import { toChatItems, toItem } from '../rules/chat-entries.ts';
import { readChatMessage, readResult, toToolName, type ChatMessage } from '../rules/chat-message.ts';
import { cleanContent, cleanToolValue } from '../rules/clean-content.ts';
import { boundedId, placedId } from '../rules/entry-id.ts';
import { firstText, isFields, toFields, toList, toText, toTime, type Fields } from '../rules/json-access.ts';
import { createOpenCalls } from '../rules/open-calls.ts';
import { createSessionNotes, type SessionNotes } from '../session-notes.ts';

/** Items of tools that carry call and outcome in one. */
const WHOLE_CALLS: ReadonlySet<string> = new Set(['web_search_call', 'tool_search_call', 'image_generation_call']);
const CALLS: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'mcp_call']);
const RESULTS: ReadonlySet<string> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
  'mcp_tool_call_output',
]);
/** Of the terminal, not of the conversation: what was said stands in the items. */
const LEFT_OUT: ReadonlySet<string> = new Set(['event_msg', 'state', 'ghost_snapshot', 'world_state', 'compaction']);

/** The `rollout-*.jsonl` files below `~/.codex/sessions`: envelopes with a payload; before September 2025 the payloads alone. */
export function createCodexReader({ sourceId = UNNAMED_SESSION }: FormatOptions): FormatReader {
  const calls = createOpenCalls<SessionNotes>();
  let notes = createSessionNotes('codex', sourceId);
  let firstPlace = 0;
  let model: string | undefined;
  let followsMeta = false;

  /** A fork has the description of what it was forked from right below its own; elsewhere a new session begins. */
  function readMeta(meta: Fields, place: number): void {
    const id = firstText(meta['id'], meta['session_id']);
    if (id !== undefined && !followsMeta) {
      notes = createSessionNotes('codex', id);
      firstPlace = place;
      model = undefined;
    }
    if (followsMeta) return;
    noteContext(meta);
    notes.label('version', meta['cli_version']);
    const git = toFields(meta['git']);
    notes.label('repo', git['repository_url']);
    notes.label('branch', git['branch']);
    notes.label('commit', git['commit_hash']);
  }

  function noteContext(context: Fields): void {
    notes.label('cwd', context['cwd']);
    notes.label('model', context['model']);
    model = toText(context['model']) ?? model;
  }

  function readItem(item: Fields, type: string, occurredAt: Date | undefined, place: number) {
    const ownId = boundedId(placedId(place - firstPlace, item));
    const message = toMessage(item, type, ownId);
    if (message === undefined) return { items: [], unknown: type === '' ? 'no type' : type };
    const said = message.role === 'assistant' ? { model } : {};
    return { items: toChatItems(message, { notes, externalId: ownId, occurredAt, ...said }, calls) };
  }

  return {
    read(record, place) {
      const line = toFields(record);
      const hasEnvelope = isFields(line['payload']);
      const payload = hasEnvelope ? toFields(line['payload']) : line;
      const kind = firstText(line['type'], line['record_type']) ?? '';
      if (kind === 'session_meta' || (kind === '' && 'instructions' in line && toText(line['id']) !== undefined)) {
        readMeta(payload, place);
        followsMeta = true;
        return NOTHING;
      }
      followsMeta = false;
      if (kind === 'turn_context') noteContext(payload);
      if (kind === 'turn_context' || LEFT_OUT.has(kind)) return NOTHING;
      const type = kind === 'response_item' ? (toText(payload['type']) ?? '') : kind;
      if (LEFT_OUT.has(type)) return NOTHING;
      return readItem(payload, type, toTime(line['timestamp'], payload['timestamp']), place);
    },
    end: () => calls.close().map(toItem),
  };
}

const NO_MESSAGE = { content: undefined, calls: [], results: [] } as const;

/** An item of the Responses API, which rollouts are made of. */
export function toMessage(item: Fields, type: string, ownId: string): ChatMessage | undefined {
  if (type === 'message') return readChatMessage(item);
  if (type === 'compacted') return { ...NO_MESSAGE, role: 'summary', content: toText(item['message']) };
  if (type === 'reasoning') return { ...NO_MESSAGE, role: 'assistant', content: readThoughts(item) };
  const callId = firstText(item['call_id'], item['id']) ?? ownId;
  if (RESULTS.has(type)) return { ...NO_MESSAGE, role: 'tool', results: [{ callId, ...readOutput(item['output']) }] };
  const given = item['arguments'] ?? item['input'] ?? item['action'] ?? item['query'];
  const call = {
    callId,
    toolName: toToolName(item['name'] ?? type.replace(/_call$/, '')),
    arguments: cleanToolValue(given),
  };
  if (CALLS.has(type)) return { ...NO_MESSAGE, role: 'assistant', calls: [call] };
  if (!WHOLE_CALLS.has(type)) return undefined;
  const result = readResult(item['output'] ?? item['tools']);
  return { ...NO_MESSAGE, role: 'assistant', calls: [call], results: [{ callId, result }] };
}

/** What the model showed of its thinking; most of it is encrypted. */
function readThoughts(item: Fields): unknown {
  const texts = [...toList(item['summary']), ...toList(item['content'])]
    .map((part) => toText(toFields(part)['text']))
    .filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : cleanContent([{ type: 'thinking', thinking: texts.join('\n') }]);
}

/** `{"output": "...", "metadata": {"exit_code": 0}}`, written as text, or the output itself. */
function readOutput(output: unknown): { readonly result: unknown; readonly status?: string } {
  const result = readResult(isFields(output) && 'content' in output ? output['content'] : output);
  const code = toFields(toFields(result)['metadata'])['exit_code'];
  if (typeof code !== 'number') return { result };
  return { result, status: code === 0 ? 'ok' : 'error' };
}
