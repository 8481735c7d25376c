import { takesItems, type CallPath } from '@steward/model-calls';
import { sizeImage, sizePdf, sizeSound } from './input-sizes.ts';
import type { PartPlace } from './input-reader.ts';
import { CLIENT_TOOLS, FOUND_PARTS, HOLDERS, PLAIN_MEMBERS, POINTER, SIZED_PARTS } from './known-input.ts';
import { StopLooking } from './stop-looking.ts';

/** Members of one object, with the positions of their values. */
export type Members = Map<string, { readonly start: number; readonly end: number }>;

const [QUOTE, OPEN_OBJECT, OPEN_ARRAY] = [0x22, 0x7b, 0x5b];
const MAX_TEXT = 64;
const PDF = /^"(?:data:application\/pdf;base64,)?JVBERi/;
const IMAGE = /^"data:image\//i;
const ADDRESS = /^"\s*[a-z][a-z0-9+.-]*:/i;
/** Parts that contain an image in a string member. */
const IMAGE_PARTS: ReadonlySet<string | undefined> = new Set(['input_image', 'computer_screenshot', 'image_url']);

/**
 * Returns the number of bytes by which a part is larger than its assumed size; negative if it is smaller.
 * @throws StopLooking if the cost of the part cannot be determined from the bytes of the body
 */
export function judgePart(bytes: Buffer, members: Members, place: PartPlace & { readonly path: CallPath }): number {
  const part = new Part(bytes, members);
  const { type } = part;
  if (type !== undefined && !SIZED_PARTS.has(type)) throw new StopLooking(type);
  if (isKept(part, place)) throw new StopLooking(type ?? 'an item that is referenced by its id');
  if (type === 'base64') return judgeBase64(part);
  if (place.holder === 'input_audio') return judgeSound(part);
  const isImage = place.holder === 'image_url' || IMAGE_PARTS.has(type);
  let surplus = 0;
  for (const name of members.keys()) {
    if (name === 'file_data') surplus += judgeFile(part);
    else if (isImage && (name === 'image_url' || name === 'url') && part.matches(name, IMAGE))
      surplus += part.sizeOf(name) - sizeImage(part.sizeOf(name));
    else if (isElsewhere(part, name)) throw new StopLooking(name);
  }
  return surplus;
}

/**
 * Returns whether the member refers to something outside the body, or may do so because it is an unknown object or
 * list.
 */
function isElsewhere(part: Part, name: string): boolean {
  if (part.type !== undefined && FOUND_PARTS.has(part.type)) return false;
  const first = part.firstOf(name);
  if (first === QUOTE) return POINTER.test(name);
  return (
    (first === OPEN_OBJECT || first === OPEN_ARRAY) &&
    !HOLDERS.has(name) &&
    !PLAIN_MEMBERS.has(name) &&
    !part.isEmpty(name)
  );
}

/**
 * Returns whether the part refers to content that is stored at the provider, and that the provider reads for the call.
 */
function isKept(part: Part, { holder, path }: PartPlace & { readonly path: CallPath }): boolean {
  const { type } = part;
  if (type === 'reasoning') return part.has('id') && part.isEmpty('encrypted_content');
  if (type === undefined && holder === 'input' && takesItems(path)) return !part.has('role') || !part.has('content');
  return (holder === 'messages' || type === 'message') && !part.isEmpty('audio');
}

function judgeBase64(part: Part): number {
  const bytes = part.sizeOf('data');
  if (part.readText('media_type')?.startsWith('image/') === true) return bytes - sizeImage(bytes);
  // The cost of a PDF depends on its pages: a compressed page may have more words than bytes.
  if (part.readText('media_type') === 'application/pdf' && part.matches('data', PDF)) return judgePdf(part, 'data');
  throw new StopLooking('document');
}

function judgeFile(part: Part): number {
  if (!part.matches('file_data', PDF)) throw new StopLooking('file_data');
  return judgePdf(part, 'file_data');
}

function judgePdf(part: Part, name: string): number {
  const value = part.valueOf(name);
  const start = Math.max(1, value.subarray(0, MAX_TEXT).indexOf(',') + 1);
  return value.byteLength - sizePdf(value.subarray(start, -1));
}

function judgeSound(part: Part): number {
  if (part.matches('data', ADDRESS)) throw new StopLooking('input_audio');
  for (const name of part.names()) if (isElsewhere(part, name)) throw new StopLooking(name);
  return part.sizeOf('data') - sizeSound(part.sizeOf('data'));
}

/**
 * Returns false if the provider runs the tool, or if the tool is unknown here. The tools in a namespace are checked
 * separately.
 */
export function judgeTool(bytes: Buffer, members: Members): boolean {
  const tool = new Part(bytes, members);
  const { type } = tool;
  if (type === undefined) return !tool.has('type') || tool.isEmpty('type') ? isFunction(tool) : false;
  if (type === 'namespace') return tool.has('tools');
  if (type === 'tool_search') return tool.readText('execution') === 'client';
  if (type === 'shell') return tool.valueOf('environment').includes('"local"');
  return CLIENT_TOOLS.test(type);
}

function isFunction(tool: Part): boolean {
  return tool.has('input_schema') || tool.has('function') || (tool.has('name') && tool.has('parameters'));
}

class Part {
  readonly type: string | undefined;
  readonly #bytes: Buffer;
  readonly #members: Members;

  constructor(bytes: Buffer, members: Members) {
    this.#bytes = bytes;
    this.#members = members;
    this.type = this.readText('type');
  }

  names(): Iterable<string> {
    return this.#members.keys();
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  firstOf(name: string): number | undefined {
    const member = this.#members.get(name);
    return member && this.#bytes[member.start];
  }

  sizeOf(name: string): number {
    const member = this.#members.get(name);
    return member === undefined ? 0 : member.end - member.start;
  }

  valueOf(name: string): Buffer {
    const { start, end } = this.#members.get(name) ?? { start: 0, end: 0 };
    return this.#bytes.subarray(start, end);
  }

  matches(name: string, pattern: RegExp): boolean {
    const member = this.#members.get(name);
    return (
      member !== undefined &&
      pattern.test(this.#bytes.toString('latin1', member.start, Math.min(member.end, member.start + MAX_TEXT)))
    );
  }

  /** Returns whether the member is missing, null, false, or without content. */
  isEmpty(name: string): boolean {
    return !this.has(name) || this.sizeOf(name) <= 2 || this.matches(name, /^(?:null|false|["[{]\s*["\]}])$/);
  }

  /** Reads a short string. */
  readText(name: string): string | undefined {
    const member = this.#members.get(name);
    if (member === undefined || this.#bytes[member.start] !== QUOTE) return undefined;
    if (member.end - member.start > MAX_TEXT) return 'a long string';
    const text = this.#bytes.toString('utf8', member.start, member.end);
    try {
      return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
    } catch {
      return 'a string that cannot be parsed';
    }
  }
}
