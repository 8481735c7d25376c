import { UNNAMED_SESSION, type FormatOptions, type FormatReader } from '../format-reader.ts';
import { toItem, toChatItems } from '../rules/chat-entries.ts';
import { cleanBlocks, readResult, toToolName, type ChatCall, type ChatResult } from '../rules/chat-message.ts';
import { cleanToolValue } from '../rules/clean-content.ts';
import { boundedId, hashContent, placedId } from '../rules/entry-id.ts';
import { readEach } from '../rules/read-each.ts';
import { readTokens } from '../rules/read-tokens.ts';
import { createRevisions } from '../rules/revisions.ts';
import { firstText, isFields, toFields, toList, toText, toTime, type Fields } from '../rules/json-access.ts';
import { createOpenCalls } from '../rules/open-calls.ts';
import { createSessionNotes, type SessionNotes } from '../session-notes.ts';

const SHAPE_PARTS: ReadonlySet<string> = new Set(['step-start']);

/** Reads UI messages of the Vercel AI SDK: one per record, or `{id, messages}` per record. */
export function createVercelUiReader({ sourceId }: FormatOptions): FormatReader {
  const calls = createOpenCalls<SessionNotes>();
  const revisions = createRevisions();
  const lone = createSessionNotes('vercel_ui', sourceId ?? UNNAMED_SESSION);

  function readMessage(notes: SessionNotes, message: Fields, place: string) {
    const parts = toList(message['parts']).map(toFields);
    const externalId = boundedId(toText(message['id']) ?? placedId(place, message));
    const metadata = toFields(message['metadata']);
    const model = firstText(metadata['model'], metadata['modelId']);
    notes.label('model', model);
    const listed = listInvocations(message, parts);
    const tools = [...parts, ...listed].map(readTool).filter((tool) => tool !== undefined);
    const said = [...listWords(message, parts), ...parts].filter(
      (part) => readTool(part) === undefined && !SHAPE_PARTS.has(String(part['type'])),
    );
    return toChatItems(
      {
        role: (toText(message['role']) ?? 'unknown').slice(0, 64),
        content: cleanBlocks(said.map(dropShape)),
        calls: tools.map(({ call }) => call),
        results: tools.flatMap(({ result }) => (result === undefined ? [] : [result])),
      },
      {
        notes,
        model,
        ...readTokens(toFields(metadata['usage'] ?? metadata['totalUsage'])),
        externalId,
        revision: revisions.next(notes.head().sourceId, externalId),
        occurredAt: toTime(message['createdAt'], metadata['createdAt']),
      },
      calls,
    );
  }

  return {
    read(record, place) {
      const fields = toFields(record);
      if (isFields(record) && Array.isArray(record['parts'])) {
        return { items: readMessage(lone, fields, String(place)) };
      }
      if (!Array.isArray(fields['messages'])) return { items: [], unknown: 'no message' };
      const messages = toList(fields['messages']);
      const id = firstText(sourceId, fields['id'], fields['chatId']) ?? hashContent(messages);
      const notes = createSessionNotes('vercel_ui', id);
      notes.title = toText(fields['title']);
      return { items: readEach(messages, (message, index) => readMessage(notes, message, String(index))) };
    },
    end: () => calls.close().map(toItem),
  };
}

/** Lists the calls of version 4 that are not among the parts. */
function listInvocations(message: Fields, parts: readonly Fields[]): readonly Fields[] {
  const known = new Set(parts.map((part) => toFields(part['toolInvocation'])['toolCallId']));
  return toList(message['toolInvocations'])
    .map((toolInvocation) => ({ type: 'tool-invocation', toolInvocation }))
    .filter(({ toolInvocation }) => !known.has(toFields(toolInvocation)['toolCallId']));
}

/** Lists the text and reasoning of version 4 that the parts do not repeat. */
function listWords({ content, reasoning }: Fields, parts: readonly Fields[]): readonly Fields[] {
  const hasPart = (type: string): boolean => parts.some((part) => part['type'] === type);
  const thoughts =
    toText(reasoning) !== undefined && !hasPart('reasoning') ? [{ type: 'reasoning', text: reasoning }] : [];
  return toText(content) !== undefined && !hasPart('text') ? [...thoughts, { type: 'text', text: content }] : thoughts;
}

/**
 * Reads a part of type `tool-NAME`, `dynamic-tool` or, in version 4, `tool-invocation`; returns undefined for any other
 * part.
 */
function readTool(part: Fields): { readonly call: ChatCall; readonly result?: ChatResult } | undefined {
  const type = toText(part['type']) ?? '';
  if (type !== 'dynamic-tool' && !type.startsWith('tool-')) return undefined;
  const tool = type === 'tool-invocation' ? toFields(part['toolInvocation']) : part;
  const callId = toText(tool['toolCallId']);
  const toolName = toToolName(tool['toolName'] ?? type.replace(/^tool-/, ''));
  const call = { callId, toolName, arguments: cleanToolValue(tool['input'] ?? tool['rawInput'] ?? tool['args']) };
  if (tool['state'] === 'output-denied') {
    const reason = toText(toFields(tool['approval'])['reason']) ?? 'denied';
    return { call, result: { callId, result: reason, status: 'denied' } };
  }
  const error = toText(tool['errorText']);
  if (error !== undefined) return { call, result: { callId, result: error, status: 'error' } };
  const output = tool['output'] ?? tool['result'];
  return output === undefined ? { call } : { call, result: { callId, result: readResult(output), status: 'ok' } };
}

function dropShape({ state: _state, providerMetadata: _metadata, ...part }: Fields): Fields {
  return part;
}
