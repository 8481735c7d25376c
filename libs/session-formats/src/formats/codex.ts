import { NOTHING, UNNAMED_SESSION, type FormatOptions, type FormatReader, type ReadRecord } from '../format-reader.ts';
import { toChatItems, toItem } from '../rules/chat-entries.ts';
import { readChatMessage } from '../rules/chat-message.ts';
import { cleanContent } from '../rules/clean-content.ts';
import { boundedId, placedId } from '../rules/entry-id.ts';
import { concat } from '../rules/read-each.ts';
import { firstText, isFields, toFields, toList, toText, toTime, type Fields } from '../rules/json-access.ts';
import { createOpenCalls, type OpenCalls } from '../rules/open-calls.ts';
import { createResponseTokens, type ResponseTokens } from '../rules/response-tokens.ts';
import type { SessionItem, TokenCounts } from '../session-item.ts';
import type { SessionNotes } from '../session-notes.ts';
import { createEchoes, type Echoes } from './codex-echoes.ts';
import { joinWords, readItem } from './codex-items.ts';
import { createLineage, type Lineage } from './codex-lineage.ts';
import { makeIds, nameResponse, remember, startSegment, type Segment } from './codex-segment.ts';
import { createCodexTokens, type CodexTokens } from './codex-tokens.ts';

/** Types of items with state of the program, not of the conversation. */
const LEFT_OUT: ReadonlySet<string> = new Set(['state', 'ghost_snapshot', 'world_state', 'compaction', 'turn_context']);
/** Roles of events with text, by event type. The text usually also occurs in an item. */
const SAID: Readonly<Record<string, string>> = {
  user_message: 'user',
  agent_message: 'assistant',
  agent_reasoning: 'thinking',
  agent_reasoning_raw_content: 'thinking',
  error: 'system',
  warning: 'system',
  stream_error: 'system',
};
/** Types of events that repeat the last response of a turn. */
const ENDED: ReadonlySet<string> = new Set(['task_complete', 'turn_complete']);
/** Matches the types of events that repeat the content of items, or report progress. */
const LEFT_OUT_EVENTS =
  /^(task_started|task_complete|turn_started|turn_complete|turn_aborted|context_compacted|thread_rolled_back|thread_name_updated|thread_goal_updated|session_configured|shutdown_complete|background_event|plan_update|plan_delta|turn_diff|view_image_tool_call|entered_review_mode|exited_review_mode|agent_reasoning_section_break|item_(started|completed)|(undo|raw_response|deprecation|model|get_history|list)_[a-z_]+|(exec_command|mcp_tool_call|patch_apply|web_search|image_generation|dynamic_tool_call|collab_[a-z]+|hook|mcp_startup)_[a-z_]+|[a-z_]+_approval_request|[a-z_]+_delta|sub_agent_activity)$/;

interface State {
  readonly calls: OpenCalls<SessionNotes>;
  readonly responses: ResponseTokens;
  readonly echoes: Echoes;
  readonly tokens: CodexTokens;
  readonly lineage: Lineage;
  sessionId: string;
  segment: Segment;
  model: string | undefined;
  followsMeta: boolean;
  responseId: string | undefined;
}

/**
 * Reads the `rollout-*.jsonl` files below `~/.codex/sessions`. Their lines are envelopes with a payload, or only
 * payloads in files from before September 2025.
 */
export function createCodexReader({ sourceId = UNNAMED_SESSION }: FormatOptions): FormatReader {
  const state: State = {
    calls: createOpenCalls<SessionNotes>(),
    responses: createResponseTokens(),
    echoes: createEchoes(),
    tokens: createCodexTokens(),
    lineage: createLineage(),
    sessionId: sourceId,
    segment: startSegment(sourceId, 0),
    model: undefined,
    followsMeta: false,
    responseId: undefined,
  };
  return {
    read(record, place) {
      const line = toFields(record);
      const payload = isFields(line['payload']) ? line['payload'] : line;
      const kind = firstText(line['type'], line['record_type']) ?? '';
      const late = [...state.responses.pass(state.echoes.release(place))];
      const isMeta = kind === 'session_meta' || (kind === '' && 'instructions' in line && 'id' in line);
      if (isMeta) readMeta(state, payload, place);
      state.followsMeta = isMeta;
      const occurredAt = toTime(line['timestamp'], payload['timestamp']);
      if (!isMeta) state.lineage.note(payload, occurredAt);
      const read = isMeta ? NOTHING : readLine(state, { payload, kind, occurredAt, place });
      return { ...read, items: state.lineage.tellOrigins(concat(late, read.items)) };
    },
    end: () => {
      const late = state.responses.pass(state.echoes.release(Number.POSITIVE_INFINITY));
      const open = concat(state.responses.pass(state.calls.close().map(toItem)), state.responses.end());
      return [...state.lineage.tellOrigins(concat(late, open))];
    },
  };
}

/**
 * Reads a description of a session. A fork contains the description of its origin below its own, and a session may
 * repeat its description; any other description starts another session.
 */
function readMeta(state: State, meta: Fields, place: number): void {
  const id = firstText(meta['id'], meta['session_id']);
  const isOther = id !== undefined && id !== state.sessionId;
  if (isOther && (state.followsMeta || state.lineage.isForebear(id))) return state.lineage.addForebear(meta, id);
  if (!isOther) state.lineage.resume();
  if (state.followsMeta) return;
  if (isOther) {
    state.lineage.begin(meta, id);
    state.sessionId = id;
    state.segment = startSegment(id, place);
    state.model = undefined;
  }
  state.segment.formerPlace = place;
  state.segment.equals.clear();
  const { notes } = state.segment;
  noteContext(state, meta);
  notes.label('version', meta['cli_version']);
  const git = toFields(meta['git']);
  notes.label('repo', git['repository_url']);
  notes.label('branch', git['branch']);
  notes.label('commit', git['commit_hash']);
}

function noteContext(state: State, context: Fields): void {
  state.segment.notes.label('cwd', context['cwd']);
  state.segment.notes.label('model', context['model']);
  state.model = toText(context['model']) ?? state.model;
}

function nameEntry({ segment, lineage }: State, value: Fields, occurredAt: Date | undefined, place: number) {
  const ids = makeIds(segment, value, occurredAt, place);
  lineage.nameOrigin(ids.externalId, value);
  return ids;
}

function noteResponse(
  state: State,
  carrierId: string | undefined,
  occurredAt: Date | undefined,
  counts: TokenCounts = {},
) {
  state.responseId ??= nameResponse(state.segment, occurredAt?.toISOString() ?? String(carrierId));
  const { notes } = state.segment;
  return state.responses.note({
    id: state.responseId,
    notes,
    tokens: counts,
    model: state.model,
    occurredAt,
    carrierId,
  });
}

function* readOne(
  state: State,
  item: Fields,
  type: string,
  occurredAt: Date | undefined,
  place: number,
): Generator<SessionItem> {
  const own = nameEntry(state, item, occurredAt, place);
  const message = readItem(item, type, own.externalId);
  if (message === undefined) return;
  state.lineage.nameCalls(message.calls, item);
  const text = joinWords(item);
  const role = type === 'reasoning' ? 'thinking' : message.role;
  const heard = text === '' ? undefined : state.echoes.hearItem(role, text, place);
  remember(state.segment, message.role, text);
  const named = heard === undefined ? own : { externalId: heard, formerId: own.formerId, revision: 1 };
  const isAnswer = message.role === 'assistant';
  const carrierId = message.content === undefined ? message.calls[0]?.callId : named.externalId;
  if (isAnswer) yield* noteResponse(state, carrierId === undefined ? undefined : boundedId(carrierId), occurredAt);
  const said = isAnswer ? { model: state.model } : {};
  const items = toChatItems(message, { notes: state.segment.notes, ...named, occurredAt, ...said }, state.calls);
  for (const item of state.responses.pass(items)) {
    const isOwn = item.entry.externalId === own.externalId && own.formerId !== undefined;
    yield isOwn ? { ...item, entry: { ...item.entry, formerId: own.formerId } } : item;
  }
  if (type === 'compacted') yield* readKept(state, item, occurredAt);
}

/** Reads the conversation that is contained in a compaction and exists nowhere else. */
function* readKept(state: State, item: Fields, occurredAt: Date | undefined): Generator<SessionItem> {
  const { notes } = state.segment;
  for (const [index, value] of toList(item['replacement_history']).entries()) {
    const kept = toFields(value);
    const text = joinWords(kept);
    if (kept['type'] !== 'message' || text === '' || text === item['message']) continue;
    const message = readChatMessage(kept);
    if (!remember(state.segment, message.role, text)) continue;
    const externalId = boundedId(`kept:${placedId(index, kept)}`);
    state.lineage.nameOrigin(externalId, { kept });
    yield* toChatItems(message, { notes, externalId, occurredAt }, state.calls);
  }
}

function* readCounts(
  state: State,
  counts: TokenCounts | undefined,
  occurredAt: Date | undefined,
): Generator<SessionItem> {
  if (counts === undefined) return;
  yield* noteResponse(state, undefined, occurredAt, counts);
  if (state.responseId !== undefined) state.lineage.nameOrigin(`response:${state.responseId}`, { counts });
  if (state.responseId !== undefined) yield* state.responses.close(state.responseId);
  state.responseId = undefined;
}

/**
 * Returns the role and text of an event; the event at the end of a turn repeats the last response, or is the only event
 * that contains this response.
 */
function findSaid(state: State, event: Fields, type: string) {
  const answer = ENDED.has(type) ? toText(event['last_agent_message']) : undefined;
  if (answer !== undefined && remember(state.segment, 'assistant', answer)) return { role: 'assistant', text: answer };
  return { role: SAID[type], text: firstText(event['message'], event['text']) };
}

function readEvent(state: State, event: Fields, occurredAt: Date | undefined, place: number): ReadRecord {
  const type = toText(event['type']) ?? 'no type';
  if (type === 'token_count') {
    return { items: readCounts(state, state.tokens.readCount(event, state.responseId !== undefined), occurredAt) };
  }
  const { role, text } = findSaid(state, event, type);
  if (role === undefined) {
    return LEFT_OUT_EVENTS.test(type) ? NOTHING : { items: [], unknown: `event_msg ${type}` };
  }
  if (text === undefined || text.trim() === '') return NOTHING;
  const isThought = role === 'thinking';
  const content = isThought ? [{ type: 'thinking', thinking: text }] : text;
  const said = isThought ? 'assistant' : role;
  const { externalId } = nameEntry(state, { type, text }, occurredAt, place);
  const by = said === 'assistant' ? { model: state.model } : {};
  const entry = {
    kind: 'message',
    role: said,
    content: cleanContent(content),
    externalId,
    occurredAt,
    ...by,
  } as const;
  if (state.echoes.hearEvent({ role, text, place, item: { session: state.segment.notes.head(), entry } }))
    return NOTHING;
  if (!isThought) remember(state.segment, said, text);
  return { items: said === 'assistant' ? noteResponse(state, externalId, occurredAt) : [] };
}

interface Line {
  readonly payload: Fields;
  readonly kind: string;
  readonly occurredAt: Date | undefined;
  readonly place: number;
}

function readLine(state: State, { payload, kind, occurredAt, place }: Line): ReadRecord {
  if (kind === 'turn_context') noteContext(state, payload);
  if (kind === 'event_msg') return readEvent(state, payload, occurredAt, place);
  if (kind === 'token_usage_record') {
    return { items: readCounts(state, state.tokens.readRecord(payload, state.responseId !== undefined), occurredAt) };
  }
  const type = kind === 'response_item' ? nameType(payload) : kind;
  if (LEFT_OUT.has(type)) return NOTHING;
  if (readItem(payload, type, '') === undefined) return { items: [], unknown: type === '' ? 'no type' : type };
  return { items: readOne(state, payload, type, occurredAt, place) };
}

/** Returns the type of an item; messages of early files have none. */
function nameType(payload: Fields): string {
  return toText(payload['type']) ?? ('role' in payload && 'content' in payload ? 'message' : '');
}
