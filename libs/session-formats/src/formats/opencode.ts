import { NOTHING, UNNAMED_SESSION, type FormatOptions, type FormatReader } from '../format-reader.ts';
import { toChatItems, toItem } from '../rules/chat-entries.ts';
import { cleanBlocks, readResult, toToolName, type ChatMessage } from '../rules/chat-message.ts';
import { cleanToolValue } from '../rules/clean-content.ts';
import { boundedId, placedId } from '../rules/entry-id.ts';
import { firstText, isFields, toFields, toList, toText, toTime, type Fields } from '../rules/json-access.ts';
import { createOpenCalls } from '../rules/open-calls.ts';
import { readEach } from '../rules/read-each.ts';
import { readTokens } from '../rules/read-tokens.ts';
import { createRevisions } from '../rules/revisions.ts';
import { createSessionNotes, type SessionNotes } from '../session-notes.ts';

/** Types of parts that are omitted: markers of steps, work tree states and compactions, which contain no text. */
const LEFT_OUT: ReadonlySet<unknown> = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'compaction']);

/**
 * Reads the output of `opencode export`, `{info, messages: [{info, parts}]}`, or the same as lines: `{info}` of the
 * session, then `{info, parts}` of each message, as the command line reads them from the database.
 */
export function createOpenCodeReader({ sourceId = UNNAMED_SESSION }: FormatOptions): FormatReader {
  const calls = createOpenCalls<SessionNotes>();
  let notes = createSessionNotes('opencode', sourceId);
  let current = sourceId;
  const revisions = createRevisions();

  function noteSession(id: string | undefined): void {
    if (id === undefined || id === current) return;
    notes = createSessionNotes('opencode', id);
    current = id;
  }

  function readMessage(message: Fields, place: number) {
    const info = toFields(message['info']);
    noteSession(toText(info['sessionID']));
    const model = firstText(info['modelID'], toFields(info['model'])['modelID']);
    notes.label('model', model);
    // An unfinished message is skipped, because it would be stored under its id and never be completed. The next import
    // contains the complete message.
    if (isUnderWay(info)) return [];
    const facts = {
      notes,
      externalId: boundedId(toText(info['id']) ?? placedId(place, message)),
      occurredAt: toTime(toFields(info['time'])['created']),
      model,
      revision: revisions.next(current, toText(info['id']) ?? ''),
      ...readTokens(toFields(info['tokens'])),
    };
    return toChatItems(toChatMessage(info, toList(message['parts']).map(toFields)), facts, calls);
  }

  return {
    read(record, place) {
      const fields = toFields(record);
      const info = toFields(fields['info']);
      if (Array.isArray(fields['parts'])) return { items: readMessage(fields, place) };
      if (!isFields(fields['info'])) return { items: [], unknown: 'no info' };
      noteSession(toText(info['id']));
      notes.title = toText(info['title']);
      notes.label('cwd', info['directory']);
      notes.label('version', info['version']);
      if (!Array.isArray(fields['messages'])) return NOTHING;
      return { items: readEach(fields['messages'], (message, index) => readMessage(message, index)) };
    },
    end: () => calls.close().map(toItem),
  };
}

function isUnderWay({ role, time, error }: Fields): boolean {
  return role === 'assistant' && toFields(time)['completed'] === undefined && error === undefined;
}

function toChatMessage(info: Fields, parts: readonly Fields[]): ChatMessage {
  const said = parts.filter(({ type }) => type !== 'tool' && !LEFT_OUT.has(type)).map(toBlock);
  const failed = isFields(info['error']) ? [{ type: 'error', error: info['error'] }] : [];
  const tools = parts.filter(({ type }) => type === 'tool');
  return {
    role: (toText(info['role']) ?? 'unknown').slice(0, 64),
    content: cleanBlocks([...said, ...failed]),
    calls: tools.map((part) => ({
      callId: nameCall(part),
      toolName: toToolName(part['tool']),
      arguments: cleanToolValue(toFields(part['state'])['input']),
    })),
    results: tools.flatMap((part) => {
      const { status, output, error } = toFields(part['state']);
      const callId = nameCall(part);
      if (status === 'error') return [{ callId, result: readResult(error), status: 'error' }];
      return status === 'completed' ? [{ callId, result: readResult(output), status: 'ok' }] : [];
    }),
  };
}

/**
 * Returns the id of a call's part. It is unique, unlike call ids, whose numbering some providers restart with each
 * response.
 */
function nameCall(part: Fields): string | undefined {
  return firstText(part['id'], part['callID']);
}

/** Converts a part of a message to a content block, without its ids, time and metadata. */
function toBlock({ id: _id, sessionID: _session, messageID: _message, time: _time, metadata: _meta, ...part }: Fields) {
  if (part['type'] === 'reasoning') return { type: 'thinking', thinking: part['text'] };
  if (part['type'] !== 'text') return part;
  // Text that the program added by itself is marked.
  return { type: 'text', text: part['text'], ...(part['synthetic'] === true && { synthetic: true }) };
}
