import { NOTHING, UNNAMED_SESSION, type FormatOptions, type FormatReader, type ReadRecord } from '../format-reader.ts';
import { toChatItems, toItem } from '../rules/chat-entries.ts';
import { readChatMessage } from '../rules/chat-message.ts';
import { cleanContent } from '../rules/clean-content.ts';
import { boundedId, placedId } from '../rules/entry-id.ts';
import { firstText, isFields, toCount, toFields, toText, toTime, type Fields } from '../rules/json-access.ts';
import { createOpenCalls } from '../rules/open-calls.ts';
import type { SessionItem } from '../session-item.ts';
import { createSessionNotes, type SessionNotes } from '../session-notes.ts';
import { createResultReader, fromStream } from './claude-stream.ts';
import { createTitleReader } from './claude-titles.ts';

/** State of the program beside the conversation: known, and left out. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'file-history-snapshot',
  'progress',
  'queue-operation',
  'last-prompt',
  'permission-mode',
  'mode',
  'agent-name',
  'attachment',
]);
/** Whose folder and branch are remembered. */
const MOST_SESSIONS = 1000;

/** Remarks that stand above the first line with a session; a file has a few, one that is not ours any number. */
const MOST_HELD = 100;

/** One answer is written as several lines with the same usage. */
function createMeasure() {
  let measuredId: string | undefined;
  return (message: Fields) => {
    const usage = toFields(message['usage']);
    const id = toText(message['id']);
    if (id !== undefined && id === measuredId) return {};
    measuredId = id;
    return { inputTokens: toCount(usage['input_tokens']), outputTokens: toCount(usage['output_tokens']) };
  };
}

/** What Claude Code writes under the role of its user: what it adds itself, compactions, the prompts and answers of subagents. */
function isByProgram(line: Fields): boolean {
  const isMarked = ['isMeta', 'isCompactSummary', 'isSidechain', 'isVisibleInTranscriptOnly'].some(
    (name) => line[name] === true,
  );
  return isMarked || toText(line['agentId']) !== undefined || toText(line['parent_tool_use_id']) !== undefined;
}

/** Summaries of earlier sessions stand first, before any line that names the session of the file. */
function createHeldRemarks() {
  let held: (() => SessionItem[])[] = [];
  function release() {
    const items = held.flatMap((read) => read());
    held = [];
    return { items };
  }
  return {
    release,
    hold(read: () => SessionItem[]) {
      held.push(read);
      return held.length > MOST_HELD ? release() : NOTHING;
    },
  };
}

/** What the lines of each session say of it. */
function createKnownSessions() {
  const sessions = new Map<string, SessionNotes>();
  return (id: string, line: Fields): SessionNotes => {
    const notes = sessions.get(id) ?? createSessionNotes('claude_code', id);
    sessions.set(id, notes);
    const [oldest] = sessions.keys();
    if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    notes.label('cwd', line['cwd']);
    notes.label('branch', line['gitBranch']);
    notes.label('version', line['version']);
    return notes;
  };
}

/** The `.jsonl` files below `~/.claude/projects`: a line per message, or per block of one, each with the session it belongs to. */
export function createClaudeCodeReader({ sourceId = UNNAMED_SESSION }: FormatOptions): FormatReader {
  const noteSessionOf = createKnownSessions();
  const titles = createTitleReader();
  const calls = createOpenCalls<SessionNotes>();
  let latest = sourceId;
  /** Whether a line said so; the name that the caller gives is for files without any. */
  let isNamed = false;
  const measure = createMeasure();
  const remarks = createHeldRemarks();
  const results = createResultReader();

  const noteSession = (line: Fields): SessionNotes => noteSessionOf(latest, line);

  function readMessage(line: Fields, message: Fields, place: number) {
    const notes = noteSession(line);
    notes.label('model', message['model']);
    const occurredAt = toTime(line['timestamp']);
    const externalId = boundedId(toText(line['uuid']) ?? placedId(place, message));
    const model = toText(message['model']);
    const byProgram = isByProgram(line) ? { byProgram: true } : {};
    const facts = { notes, externalId, occurredAt, model, ...byProgram, ...measure(message) };
    return { items: toChatItems(readChatMessage({ role: line['type'], ...message }), facts, calls) };
  }

  function readRemark(line: Fields, place: number, role: string, content: unknown): SessionItem[] {
    const notes = noteSession(line);
    const id = firstText(line['uuid'], line['leafUuid']);
    const externalId = boundedId(id === undefined ? placedId(place, content) : `${role}:${id}`);
    const entry = { kind: 'message', role, content: cleanContent(content), externalId } as const;
    return [{ session: notes.head(), entry: { ...entry, occurredAt: toTime(line['timestamp']) } }];
  }

  /** Waits for the session that it belongs to. */
  function holdRemark(read: () => SessionItem[]) {
    return isNamed ? { items: read() } : remarks.hold(read);
  }

  function readKnown(line: Fields, type: string, place: number): ReadRecord {
    if ((type === 'user' || type === 'assistant') && isFields(line['message'])) {
      return readMessage(line, line['message'], place);
    }
    return readAside(line, type, place);
  }

  function readAside(line: Fields, type: string, place: number): ReadRecord {
    if (type === 'system' && toText(line['content']) !== undefined) {
      return holdRemark(() => readRemark(line, place, 'system', line['content']));
    }
    if (type === 'summary' && toText(line['summary']) !== undefined) {
      return holdRemark(() => readRemark(line, place, 'summary', line['summary']));
    }
    if (titles.isTitle(type)) {
      titles.note(noteSession(line), line, type);
      return NOTHING;
    }
    if (line['subtype'] === 'init') noteSession(line).label('model', line['model']);
    if (LEFT_OUT.has(type) || type === 'system') return NOTHING;
    return { items: [], unknown: type === '' ? 'no type' : type };
  }

  return {
    read(record, place) {
      const line = fromStream(toFields(record));
      const named = firstText(line['sessionId']);
      isNamed ||= named !== undefined;
      latest = named ?? latest;
      const before = isNamed ? remarks.release().items : [];
      const result = results.read(line);
      const read =
        result === undefined
          ? readKnown(line, toText(line['type']) ?? '', place)
          : { items: result === '' ? [] : readRemark(line, place, 'assistant', result) };
      return before.length === 0 ? read : { ...read, items: [...before, ...read.items] };
    },
    end: () => [...remarks.release().items, ...calls.close().map(toItem)],
  };
}
