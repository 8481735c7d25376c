import { NOTHING, UNNAMED_SESSION, type FormatOptions, type FormatReader, type ReadRecord } from '../format-reader.ts';
import { toChatItems, toItem } from '../rules/chat-entries.ts';
import { readChatMessage, type ChatMessage } from '../rules/chat-message.ts';
import { cleanContent } from '../rules/clean-content.ts';
import { boundedId, placedId } from '../rules/entry-id.ts';
import { firstText, isFields, toFields, toText, toTime, type Fields } from '../rules/json-access.ts';
import { createOpenCalls } from '../rules/open-calls.ts';
import { readTokens } from '../rules/read-tokens.ts';
import { createResponseTokens } from '../rules/response-tokens.ts';
import { concat } from '../rules/read-each.ts';
import { createRevisions } from '../rules/revisions.ts';
import type { SessionItem } from '../session-item.ts';
import { createSessionNotes, type SessionNotes } from '../session-notes.ts';
import { createPromptReader, markProgram } from './claude-code-prompts.ts';
import { createResultReader, fromStream } from './claude-stream.ts';
import { createForkedIds } from './claude-forks.ts';
import { createTitleReader } from './claude-titles.ts';

/** Types of lines with state of the program outside the conversation; these lines are skipped. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'file-history-snapshot',
  'progress',
  'last-prompt',
  'permission-mode',
  'mode',
  'agent-name',
  'tag',
  'pr-link',
  'agent-setting',
  'agent-color',
  'worktree-state',
  'content-replacement',
  'attribution-snapshot',
  'marble-origami-commit',
  'marble-origami-snapshot',
  'speculation-accept',
  'task-summary',
]);
/** Types of lines that contain a message. */
const SAID: ReadonlySet<string> = new Set(['user', 'assistant', 'system']);
/** Maximum number of sessions whose data is remembered. */
const MOST_SESSIONS = 1000;

/**
 * Maximum number of summaries that are held before the first line with a session; a file of Claude Code has a few, but
 * another file may have any number.
 */
const MOST_HELD = 100;

/** Types of lines with information outside the messages, and the field that contains it. */
const REMARKS: ReadonlyMap<string, string> = new Map([
  ['system', 'content'],
  ['summary', 'summary'],
]);

/**
 * Holds summaries of earlier sessions until the session of the file is known: summaries precede the first line that
 * names this session.
 */
function createHeldRemarks() {
  let held: (() => SessionItem[])[] = [];
  function release() {
    const items = held.flatMap((read) => read());
    held = [];
    return { items };
  }
  return {
    release,
    /**
     * Holds a summary. If the session is known, returns the items of the summary immediately; if too many summaries are
     * held, returns the items of all of them.
     */
    hold(isNamed: boolean, read: () => SessionItem[]) {
      if (isNamed) return { items: read() };
      held.push(read);
      return held.length > MOST_HELD ? release() : NOTHING;
    },
  };
}

/** Collects the session data of the lines, per session. */
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

/**
 * Reads the `.jsonl` files below `~/.claude/projects`: a line per message, or per block of a message, each with its
 * session. Also reads the JSON that `claude -p` prints.
 */
export function createClaudeCodeReader(options: FormatOptions): FormatReader {
  const reader = createLineReader(options);
  const forked = createForkedIds();
  return {
    read(record, place) {
      forked.note(toFields(record));
      const read = reader.read(record, place);
      return { ...read, items: forked.tellOrigins(read.items) };
    },
    end: () => [...forked.tellOrigins(reader.end())],
  };
}

function createLineReader({ sourceId = UNNAMED_SESSION }: FormatOptions): FormatReader {
  const noteSessionOf = createKnownSessions();
  const titles = createTitleReader();
  const calls = createOpenCalls<SessionNotes>();
  let latest = sourceId;
  /** True if a line has named a session; the session id given by the caller is used only until then. */
  let isNamed = false;
  const responses = createResponseTokens();
  const revisions = createRevisions();
  const noteSession = (line: Fields): SessionNotes => noteSessionOf(latest, line);
  const prompts = createPromptReader({ calls, revisions, sessionId: () => latest, noteSession });
  const remarks = createHeldRemarks();
  const results = createResultReader();

  function readMessage(line: Fields, message: Fields, place: number) {
    const notes = noteSession(line);
    notes.label('model', message['model']);
    const occurredAt = toTime(line['timestamp']);
    const model = toText(message['model']);
    const read = readChatMessage({ role: line['type'], ...message });
    const isUser = line['type'] === 'user';
    const named = prompts.nameMessage(line, message, read, place);
    const facts = { notes, ...named, occurredAt, model, ...markProgram(line) };
    const response = isUser ? undefined : describeResponse(line, read, named.externalId);
    // A line without a response id already contains the complete token counts.
    const tokens = isUser || response !== undefined ? {} : readTokens(toFields(message['usage']));
    const items = toChatItems(read, { ...facts, ...tokens }, calls);
    if (response === undefined) return { items: responses.pass(items) };
    const released = responses.note({ notes, model, occurredAt, ...response });
    return { items: concat(released, responses.pass(items)) };
  }

  function readKnown(line: Fields, type: string, place: number): ReadRecord {
    const result = results.read(line);
    if (result !== undefined) {
      if (result.said === undefined) return NOTHING;
      const [item] = readRemark(noteSession(line), line, place, 'assistant', result.said);
      const entry = { ...item.entry, ...readTokens(result.usage) };
      return { items: responses.pass([{ ...item, entry }]) };
    }
    if (SAID.has(type) && isFields(line['message'])) {
      return readMessage(line, line['message'], place);
    }
    return readAside(line, type, place);
  }

  function readAside(line: Fields, type: string, place: number): ReadRecord {
    const remark = line[REMARKS.get(type) ?? ''];
    if (toText(remark) !== undefined) {
      return remarks.hold(isNamed, () => readRemark(noteSession(line), line, place, type, remark));
    }
    if (titles.isTitle(type)) {
      titles.note(noteSession(line), line, type);
      return NOTHING;
    }
    if (type === 'queue-operation') return prompts.readTyped(line);
    if (type === 'attachment') return prompts.readAttachment(line, toFields(line['attachment']), place);
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
      const read = readKnown(line, toText(line['type']) ?? '', place);
      return before.length === 0 ? read : { ...read, items: concat(before, read.items) };
    },
    end: () => [
      ...remarks.release().items,
      ...responses.pass(calls.close().map(toItem)),
      ...responses.end(),
      ...prompts.end(),
    ],
  };
}

function readRemark(notes: SessionNotes, line: Fields, place: number, role: string, content: unknown): [SessionItem] {
  const id = firstText(line['uuid'], line['leafUuid']);
  const externalId = boundedId(id === undefined ? placedId(place, content) : `${role}:${id}`);
  const entry = { kind: 'message', role, content: cleanContent(content), externalId } as const;
  return [{ session: notes.head(), entry: { ...entry, occurredAt: toTime(line['timestamp']) } }];
}

/** Returns the id of a line's response, its token counts, and the id of the entry to which the counts may be added. */
function describeResponse(line: Fields, read: ChatMessage, externalId: string) {
  const message = toFields(line['message']);
  const id = firstText(message['id'], line['requestId']);
  if (id === undefined) return undefined;
  const carrierId = read.content === undefined ? read.calls[0]?.callId : externalId;
  return {
    id: boundedId(id),
    tokens: readTokens(toFields(message['usage'])),
    carrierId: carrierId === undefined ? undefined : boundedId(carrierId),
  };
}
