import { specTypeSchemas, type CallToolResult } from '@modelcontextprotocol/client';
import { parseExactJson, toPlainJson } from '@steward/text';
import { isRecord } from './is-record.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Text before items that clients would reject and that are therefore passed to the agent as text. */
const MARK = 'An item of the result that clients do not accept, as returned by the tool: ';

/**
 * Converts a result for clients. The tool has already run, so its complete output has to reach the agent. Valid items
 * stay unchanged; an item that would make clients reject the whole result is corrected if this loses at most its
 * annotations and metadata, and otherwise replaced by its JSON as a marked string.
 */
export function fitResult(result: unknown): CallToolResult {
  if (!isRecord(result)) return { content: [mark(result)] };
  const { content, structuredContent, isError, _meta: meta, resultType: _resultType, ...rest } = result;
  const isStructured = structuredContent !== undefined && structuredContent !== null;
  const isSaid = content !== undefined && content !== null;
  const fitted = {
    ...rest,
    ...(isRecord(meta) ? { _meta: meta } : {}),
    content: isSaid ? fitContent(content) : isStructured ? [] : [mark(result)],
    ...(isStructured ? { structuredContent } : {}),
    ...(isError === undefined || isError === null ? {} : { isError: isError === true || isError === 'true' }),
  };
  return fitted as CallToolResult;
}

/**
 * Converts a result for a client of a revision before 2026, which accepts only an object as structured content: other
 * values are passed on as a text item, unless a text item already contains their JSON, as the protocol requires.
 */
export function fitToObject(result: CallToolResult): CallToolResult {
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined || isRecord(structuredContent)) return result;
  const text = JSON.stringify(structuredContent);
  const isSaid = rest.content.some((item) => item.type === 'text' && isJsonOf(item.text, text));
  return isSaid ? rest : { ...rest, content: [...rest.content, { type: 'text', text }] };
}

function isJsonOf(text: string, json: string): boolean {
  try {
    return JSON.stringify(parseExactJson(text)) === json;
  } catch {
    return false;
  }
}

function fitContent(content: unknown): readonly unknown[] {
  return (Array.isArray(content) ? content : [content]).map(fitItem);
}

/** Converts one item for clients. */
export function fitItem(item: unknown): unknown {
  if (typeof item === 'string') return { type: 'text', text: item };
  if (!isRecord(item)) return mark(item);
  if (isTaken(item)) return item;
  const { annotations: _annotations, _meta, ...bare } = fitData(item);
  const tries = [fitData(item), { ...bare, ...(isRecord(_meta) ? { _meta } : {}) }];
  return tries.find(isTaken) ?? mark(item);
}

function isTaken(item: Fields): boolean {
  const checked = specTypeSchemas.ContentBlock['~standard'].validate(toPlainJson(item));
  return !(checked instanceof Promise) && checked.issues === undefined;
}

const DATA_URI = /^data:([^;,]{0,100})[^,]{0,200};base64,/i;
/** First characters of base64 data in the image formats that models read, each with its media type. */
const BEGINNINGS = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
] as const;

/**
 * Converts bytes to the only format that clients accept: plain base64 with padding, and the media type in a separate
 * field.
 */
function fitData(item: Fields): Fields {
  const { type, data, mimeType } = item;
  if ((type !== 'image' && type !== 'audio') || typeof data !== 'string') return item;
  const [prefix = '', named = ''] = DATA_URI.exec(data) ?? [];
  const bytes = data
    .slice(prefix.length)
    .replace(/\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  const guessed = BEGINNINGS.find(([beginning]) => bytes.startsWith(beginning))?.[1] ?? 'application/octet-stream';
  return {
    ...item,
    data: bytes.padEnd(Math.ceil(bytes.length / 4) * 4, '='),
    mimeType: typeof mimeType === 'string' && mimeType !== '' ? mimeType : named === '' ? guessed : named,
  };
}

function mark(item: unknown): { type: 'text'; text: string } {
  return { type: 'text', text: `${MARK}${JSON.stringify(item)}` };
}
