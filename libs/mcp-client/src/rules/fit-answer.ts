import { specTypeSchemas } from '@modelcontextprotocol/client';
import { toPlainJson } from '@steward/text';
import type { ServerRequest } from '../tool-server-client.ts';
import { fitItem } from './fit-result.ts';
import { isRecord } from './is-record.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Maximum number of values that clients accept in a completion. */
const MAX_VALUES = 100;

/**
 * Converts a response for clients, each part separately: content that would make clients reject the whole response is
 * replaced by its JSON as a string, and other invalid parts are omitted or corrected.
 */
export function fitAnswer(method: ServerRequest['method'], answer: unknown): Fields {
  const fields = isRecord(answer) ? answer : {};
  const { resultType: _resultType, _meta: meta, ttlMs: _ttlMs, cacheScope: _cacheScope, ...said } = fields;
  const rest: Fields = { ...said, ...(isRecord(meta) ? { _meta: meta } : {}) };
  if (method === 'resources/read') return { ...rest, contents: listOf(rest['contents']).map(fitContents) };
  if (method === 'completion/complete') return { ...rest, completion: fitCompletion(rest['completion']) };
  const { description, ...prompt } = rest;
  return {
    ...prompt,
    ...(typeof description === 'string' ? { description } : {}),
    messages: listOf(rest['messages']).map(fitMessage),
  };
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

function fitContents(contents: unknown): Fields {
  if (!isRecord(contents)) return { uri: '', text: JSON.stringify(contents) };
  const { uri, mimeType, _meta: meta, text, blob, ...rest } = contents;
  const fitted = {
    uri: typeof uri === 'string' ? uri : '',
    ...(typeof mimeType === 'string' ? { mimeType } : {}),
    ...rest,
    ...(isRecord(meta) ? { _meta: meta } : {}),
  };
  if (typeof text === 'string') return { ...fitted, text };
  if (isTaken({ ...fitted, blob })) return { ...fitted, blob };
  return { uri: fitted.uri, text: JSON.stringify(contents) };
}

function isTaken(contents: Fields): boolean {
  const checked = specTypeSchemas.BlobResourceContents['~standard'].validate(toPlainJson(contents));
  return !(checked instanceof Promise) && checked.issues === undefined;
}

function fitMessage(message: unknown): Fields {
  if (!isRecord(message)) return { role: 'user', content: fitItem(message) };
  const { role, content, ...rest } = message;
  return { ...rest, role: role === 'assistant' ? role : 'user', content: fitItem(content) };
}

function fitCompletion(completion: unknown): Fields {
  const { values, total, hasMore } = isRecord(completion) ? completion : {};
  const said = listOf(values).filter((value) => typeof value === 'string');
  return {
    values: said.slice(0, MAX_VALUES),
    ...(Number.isInteger(Number(total)) && total !== undefined && total !== null ? { total: Number(total) } : {}),
    ...(typeof hasMore === 'boolean' ? { hasMore } : said.length > MAX_VALUES ? { hasMore: true } : {}),
  };
}
