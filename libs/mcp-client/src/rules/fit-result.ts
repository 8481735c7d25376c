import { specTypeSchemas, type CallToolResult } from '@modelcontextprotocol/client';
import { parseExactJson, toPlainJson } from '@steward/text';
import { isRecord } from './is-record.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Before what clients would not take, and gets to the agent as text. */
const MARK = 'An item of the result that clients do not accept, as returned by the tool: ';

/**
 * A result as clients take it: the tool has run, so whatever it said gets to the agent. Items of the protocol are as they came; one
 * that clients would refuse the whole result for is put right where that loses nothing, else it is the text of its JSON, marked.
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
 * For a client of a revision before 2026, which takes an object alone as the structured content: any other is a text, unless one of
 * the texts is its JSON, as the protocol wants it.
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

/** One item by itself, as clients take it. */
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
/** How the formats that models read begin, in base64. */
const BEGINNINGS = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
] as const;

/** Bytes in the one form that clients read: base64 alone, with padding, beside their media type. */
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
