import { NOTHING, UNNAMED_SESSION, type FormatOptions, type FormatReader, type ReadRecord } from '../format-reader.ts';
import { readResult, toToolName } from '../rules/chat-message.ts';
import { cleanContent, cleanToolValue } from '../rules/clean-content.ts';
import { boundedId, placedId } from '../rules/entry-id.ts';
import { firstText, isFields, toFields, toText, type Fields } from '../rules/json-access.ts';
import { hasTokens, readTokens } from '../rules/read-tokens.ts';
import type { ImportedEntry, ImportedMessage, SessionItem } from '../session-item.ts';
import { createSessionNotes } from '../session-notes.ts';

const EVENTS: ReadonlySet<unknown> = new Set([
  ...['thread.started', 'turn.started', 'turn.completed', 'turn.failed'],
  ...['item.started', 'item.updated', 'item.completed'],
  'error',
]);

/** Returns whether a record is an event of `codex exec --json`. */
export function isExecEvent(value: unknown): boolean {
  const { type, item, message, thread_id: threadId } = toFields(value);
  if (!EVENTS.has(type)) return false;
  if (type === 'error') return toText(message) !== undefined;
  return type === 'thread.started'
    ? toText(threadId) !== undefined
    : !String(type).startsWith('item.') || isFields(item);
}

/** Maximum number of remembered steps that have started but not ended; there are only a few at a time. */
const MOST_STARTED = 256;

/**
 * Reads the output of `codex exec --json`: the thread, its completed items, its errors and, at the end of the output,
 * the items that were started but not completed. Token counts are given per turn, and are assigned to the response that
 * ends the turn; if there is none, they form a separate entry.
 */
export function createExecReader({ sourceId = UNNAMED_SESSION }: FormatOptions): FormatReader {
  let notes = createSessionNotes('codex', sourceId);
  const started = new Map<string, { readonly item: Fields; readonly place: number }>();
  let answer: ImportedMessage | undefined;
  let failure: string | undefined;
  /** True if an item has been completed since the last token counts were reported. */
  let isOpen = false;

  const toItems = (entries: readonly ImportedEntry[]): SessionItem[] =>
    entries.map((entry) => ({ session: notes.head(), entry }));
  function releaseAnswer(usage: Fields = {}): ImportedEntry[] {
    const said = answer;
    answer = undefined;
    const tokens = readTokens(usage);
    // An earlier import of a truncated file may have stored the response without its token counts, so the response with
    // token counts gets a higher revision.
    return said === undefined ? [] : [{ ...said, ...tokens, ...(hasTokens(tokens) ? { revision: 1 } : {}) }];
  }

  /** Reads an error; an error that makes the turn fail is written twice, but read only once. */
  function readFailure(event: Fields, place: number): ImportedEntry[] {
    const message = firstText(event['message'], toFields(event['error'])['message']);
    const isRepeated = event['type'] === 'turn.failed' && message === failure;
    failure = event['type'] === 'error' ? message : undefined;
    const entry = toEntry({ type: 'error', message }, `exec:${placedId(place, event)}`);
    return isRepeated || entry === undefined ? [] : [entry];
  }

  /** Returns the response that ends a turn, with the counts of the turn; if there is none, an entry for the counts. */
  function readTurn(usage: Fields, place: number): ImportedEntry[] {
    const tokens = readTokens(usage);
    const hasAnswer = answer !== undefined;
    const isMeasured = isOpen && !hasAnswer && hasTokens(tokens);
    isOpen = false;
    if (!isMeasured) return releaseAnswer(usage);
    const externalId = boundedId(`exec:${placedId(place, usage)}`);
    return [{ kind: 'message', role: 'assistant', content: '', externalId, ...tokens }];
  }

  function readItem(item: Fields, place: number): ReadRecord {
    started.delete(toText(item['id']) ?? '');
    const entry = toEntry(item, boundedId(`exec:${placedId(place, item)}`));
    if (entry === undefined) return { items: [], unknown: toText(item['type']) ?? 'no type' };
    const before = releaseAnswer();
    isOpen = true;
    if (entry.kind !== 'message' || item['type'] !== 'agent_message') return { items: toItems([...before, entry]) };
    answer = entry;
    return { items: toItems(before) };
  }

  return {
    read(record, place) {
      const event = toFields(record);
      const item = toFields(event['item']);
      switch (event['type']) {
        case 'thread.started':
          notes = createSessionNotes('codex', firstText(event['thread_id']) ?? sourceId);
          return NOTHING;
        case 'item.completed':
          return readItem(item, place);
        case 'turn.completed':
          return { items: toItems(readTurn(toFields(event['usage']), place)) };
        case 'error':
        case 'turn.failed':
          return { items: toItems([...releaseAnswer(), ...readFailure(event, place)]) };
        default:
          if (isFields(event['item']) && started.size < MOST_STARTED)
            started.set(toText(item['id']) ?? '', { item, place });
          return NOTHING;
      }
    },
    end() {
      const open = [...started.values()].map(({ item, place }) => toEntry(item, `exec:${placedId(place, item)}:open`));
      started.clear();
      return toItems([...releaseAnswer(), ...open.filter((entry) => entry !== undefined)]);
    },
  };
}

function toEntry(item: Fields, externalId: string): ImportedEntry | undefined {
  const type = toText(item['type']) ?? '';
  const said = Object.hasOwn(MESSAGES, type) ? MESSAGES[type]?.(item) : undefined;
  if (said !== undefined && said[1] !== undefined) {
    return { kind: 'message', role: said[0], content: cleanContent(said[1]), externalId };
  }
  const call = Object.hasOwn(CALLS, type) ? CALLS[type]?.(item) : undefined;
  if (call === undefined) return undefined;
  const [toolName, given, result = null] = call;
  const failed = item['status'] === 'failed' || (typeof item['exit_code'] === 'number' && item['exit_code'] !== 0);
  return {
    kind: 'tool_call',
    toolName: toToolName(toolName),
    arguments: cleanToolValue(given ?? null),
    result: readResult(result),
    status: failed ? 'error' : 'ok',
    externalId,
  };
}

/** Functions that return role and content of an item, by its type. */
const MESSAGES: Readonly<Record<string, (item: Fields) => readonly [role: string, content: unknown]>> = {
  agent_message: ({ text }) => ['assistant', text],
  user_message: ({ text }) => ['user', text],
  reasoning: ({ text }) => ['assistant', [{ type: 'thinking', thinking: text }]],
  error: ({ message }) => ['system', message],
};

/** Functions that return name, arguments and result of a call, by the type of its item. */
const CALLS: Readonly<Record<string, (item: Fields) => readonly [name: unknown, given: unknown, result?: unknown]>> = {
  command_execution: ({ command, aggregated_output: output }) => ['shell', { command }, output],
  file_change: ({ changes }) => ['apply_patch', { changes }],
  mcp_tool_call: ({ server, tool, arguments: given, error, result }) => [
    `${firstText(server) ?? 'mcp'}/${firstText(tool) ?? 'unknown'}`,
    given,
    error ?? result,
  ],
  web_search: ({ query, action }) => ['web_search', { query, ...(isFields(action) ? { action } : {}) }],
  todo_list: ({ items }) => ['todo_list', { items }],
  collab_tool_call: ({ tool, prompt, agents_states: states }) => [tool, { prompt }, states],
};
