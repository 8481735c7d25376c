import { NOTHING, UNNAMED_SESSION, type FormatOptions, type FormatReader, type ReadRecord } from '../format-reader.ts';
import { toChatItems, toItem } from '../rules/chat-entries.ts';
import { cleanBlocks, readResult, toToolName, type ChatMessage } from '../rules/chat-message.ts';
import { cleanToolValue } from '../rules/clean-content.ts';
import { boundedId, placedId } from '../rules/entry-id.ts';
import { firstText, toFields, toList, toText, toTime, type Fields } from '../rules/json-access.ts';
import { readEach } from '../rules/read-each.ts';
import { readTokens } from '../rules/read-tokens.ts';
import { createRevisions } from '../rules/revisions.ts';
import { createOpenCalls } from '../rules/open-calls.ts';
import type { SessionItem } from '../session-item.ts';
import { createSessionNotes, type SessionNotes } from '../session-notes.ts';

const ROLES: Readonly<Record<string, string>> = { user: 'user', gemini: 'assistant', model: 'assistant' };
/** Types of messages from the program itself; they are read with the role `system`. */
const REMARKS: ReadonlySet<string> = new Set(['info', 'warning', 'error']);

/** Maximum number of remembered entries; only these can be marked as rewound. */
const MOST_RECENT = 256;
const MOST_RECENT_CHARS = 4 * 1024 * 1024;

/**
 * Reads the `session-*` files below `~/.gemini/tmp`: a file is one document with its messages, or has a line for the
 * session and one for each message.
 */
export function createGeminiReader({ sourceId = UNNAMED_SESSION }: FormatOptions): FormatReader {
  const calls = createOpenCalls<SessionNotes>();
  const revisions = createRevisions();
  let recent = createRecent();
  let sessionId = sourceId;
  let notes = createSessionNotes('gemini_cli', sourceId);

  /**
   * Reads the entries of one message.
   * @param written - Time of the whole document, in seconds, used as the revision; if undefined, the revision is the
   *   number of earlier versions of the message in the file
   */
  function* readMessage(message: Fields, place: number, written?: number): Generator<SessionItem> {
    const type = toText(message['type']) ?? '';
    const model = toText(message['model']);
    notes.label('model', model);
    const externalId = boundedId(toText(message['id']) ?? placedId(place, message));
    const revision = written ?? revisions.next(sessionId, externalId);
    const facts = { notes, externalId, occurredAt: toTime(message['timestamp']), model, revision };
    const tokens = readTokens(toFields(message['tokens']));
    const read = toChatMessage(message, ROLES[type] ?? 'system');
    for (const item of toChatItems(read, { ...facts, ...tokens }, calls)) {
      const told = tellOrigin(item);
      if (written === undefined) recent.add(externalId, told);
      yield told;
    }
  }

  function readOne(message: Fields, place: number, written?: number) {
    const unknown = findUnknown(message);
    return unknown === undefined ? { items: readMessage(message, place, written) } : { items: [], unknown };
  }

  function readList(messages: readonly unknown[], written?: number): ReadRecord {
    const unknown = messages.map((message) => findUnknown(toFields(message))).find((kind) => kind !== undefined);
    const items = readEach(messages, (message, index) => readOne(message, index, written).items);
    return { items, ...(unknown === undefined ? {} : { unknown }) };
  }

  /** Yields the remembered entries from this message on, marked as rewound; stored entries are not deleted. */
  function* readRewind(to: string): Generator<SessionItem> {
    for (const { session, entry } of recent.takeFrom(boundedId(to))) {
      const revision = revisions.next(sessionId, entry.externalId);
      yield {
        session,
        entry: { ...entry, status: 'rewound', revision: Math.max(revision, (entry.revision ?? 0) + 1) },
      };
    }
  }

  /** Reads a line that changes the session's data, sets its messages, or rewinds it. */
  function readChange(change: Fields): ReadRecord {
    const set = toFields(change['$set']);
    notes.title = firstText(set['summary'], notes.title);
    const to = toText(change['$rewindTo']);
    if (to !== undefined) return { items: readRewind(to) };
    return Array.isArray(set['messages']) ? readList(toList(set['messages'])) : NOTHING;
  }

  return {
    read(record, place) {
      const fields = toFields(record);
      const id = toText(fields['sessionId']);
      if (id !== undefined && id !== sessionId) {
        notes = createSessionNotes('gemini_cli', id);
        sessionId = id;
        recent = createRecent();
      }
      if (id !== undefined) {
        notes.title = firstText(fields['summary'], notes.title);
        if (!Array.isArray(fields['messages'])) return NOTHING;
      }
      if ('$set' in fields || '$rewindTo' in fields) return readChange(fields);
      if (!Array.isArray(fields['messages'])) return readOne(fields, place);
      const written = toTime(fields['lastUpdated'])?.getTime();
      return readList(toList(fields['messages']), written === undefined ? undefined : Math.floor(written / 1000));
    },
    end: () => calls.close().map(toItem),
  };
}

/** Remembers the most recent entries and the message of each. */
function createRecent() {
  let entries: { readonly messageId: string; readonly item: SessionItem; readonly size: number }[] = [];
  let chars = 0;
  return {
    add(messageId: string, item: SessionItem): void {
      const size = JSON.stringify(item.entry).length;
      entries = entries.filter((each) => each.item.entry.externalId !== item.entry.externalId);
      entries.push({ messageId, item, size });
      chars += size;
      while (entries.length > MOST_RECENT || (chars > MOST_RECENT_CHARS && entries.length > 1)) {
        chars -= entries.shift()?.size ?? 0;
      }
    },
    takeFrom(messageId: string): SessionItem[] {
      const from = entries.findIndex((each) => each.messageId === messageId);
      const taken = from === -1 ? [] : entries.slice(from);
      entries = entries.filter((each) => !taken.includes(each));
      return taken.map(({ item }) => item);
    },
  };
}

/** Minimum length of an id, in characters, for it to be considered unique. */
const LEAST_ID_CHARS = 16;

/**
 * Adds the origin to an entry. A session that continues from a checkpoint contains the earlier messages with their ids
 * and times.
 */
function tellOrigin({ session, entry }: SessionItem): SessionItem {
  const { externalId: id, occurredAt } = entry;
  if (id.length < LEAST_ID_CHARS || occurredAt === undefined) return { session, entry };
  return { session, entry: { ...entry, origin: `gemini_cli:${id}:${occurredAt.toISOString()}` } };
}

/** Returns the kind of a message if it is unknown. */
function findUnknown(message: Fields): string | undefined {
  const type = toText(message['type']) ?? '';
  if (type in ROLES || REMARKS.has(type)) return undefined;
  return type === '' ? 'no type' : type;
}

function toChatMessage(message: Fields, role: string): ChatMessage {
  const thoughts = toList(message['thoughts']).map((thought) => {
    const { subject, description } = toFields(thought);
    return {
      type: 'thinking',
      thinking: [subject, description].filter((text) => toText(text) !== undefined).join('\n'),
    };
  });
  const { content } = message;
  const said = typeof content === 'string' ? [{ type: 'text', text: content }] : toList(content).map(toBlock);
  const made = toList(message['toolCalls']).map((call, index) => nameCall(message, toFields(call), index));
  return {
    role,
    content: cleanBlocks([...thoughts, ...said]),
    calls: made.map((call) => ({
      callId: toText(call['id']),
      toolName: toToolName(call['name']),
      arguments: cleanToolValue(call['args']),
    })),
    results: made
      .filter((call) => call['result'] !== undefined)
      .map((call) => ({
        callId: toText(call['id']),
        result: readResult(readAnswer(call['result'])),
        ...(call['status'] === 'error' ? { status: 'error' } : {}),
      })),
  };
}

/** Adds an id to a call that has none: the id of its message and the index of the call. */
function nameCall(message: Fields, call: Fields, index: number): Fields {
  return toText(call['id']) === undefined ? { ...call, id: `${toText(message['id']) ?? ''}:call${index}` } : call;
}

function toBlock(part: unknown): unknown {
  const { text } = toFields(part);
  return typeof text === 'string' ? { type: 'text', text } : part;
}

/** Returns the output of the tool from `[{functionResponse: {response: {output}}}]`. */
function readAnswer(result: unknown): unknown {
  const [first] = toList(result);
  const { response } = toFields(toFields(first)['functionResponse']);
  if (response === undefined || toList(result).length > 1) return result;
  return toFields(response)['output'] ?? response;
}
