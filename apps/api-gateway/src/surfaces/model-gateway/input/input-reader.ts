import type { CallPath } from '@steward/model-calls';
import { endOfString, endOfValue, skipSpace } from '../json-bytes.ts';
import { HOLDERS } from './known-input.ts';
import { judgePart, judgeTool, type Members } from './judge-part.ts';
import { StopLooking } from './stop-looking.ts';

/** Location of a part. */
export interface PartPlace {
  readonly depth: number;
  /** Name of the member that contains the part. */
  readonly holder: string;
}

const [QUOTE, COLON, COMMA] = [0x22, 0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Limit for nested parts: a tool result that contains a document with an image has eight levels. */
const MAX_DEPTH = 12;
/**
 * Maximum number of members and entries of all parts together: a conversation of thousands of turns has fewer, and more
 * would delay other requests.
 */
const MAX_LOOKS = 50_000;
const MAX_NAME = 256;
const TOO_MUCH = 'too much content to examine';

/**
 * Reads the parts of a body and its tools once from beginning to end, without creating objects. Throws `StopLooking` at
 * the first part whose content may be outside the body, at the first tool that the provider may run, and at a member
 * whose name occurs twice, is too long or is not in lower case. Also throws it if there is too much content or nesting,
 * and for invalid JSON, which the provider refuses.
 */
export class InputReader {
  surplusBytes = 0;
  readonly #bytes: Buffer;
  readonly #path: CallPath;
  #looks = MAX_LOOKS;

  constructor(bytes: Buffer, path: CallPath) {
    this.#bytes = bytes;
    this.#path = path;
  }

  /** Reads a string, one content part, or a list of parts. Returns the position after the value. @throws StopLooking */
  readParts(start: number, place: PartPlace): number {
    const first = this.#bytes[start];
    if (first === OPEN_OBJECT) return this.#readPart(start, place);
    if (first === OPEN_ARRAY) return this.#readList(start, (at) => this.#readPart(at, place));
    return endOfValue(this.#bytes, start);
  }

  /** Reads a list of tools. Returns the position after the list. @throws StopLooking */
  readTools(start: number, depth: number): number {
    const first = this.#bytes[start];
    if (depth > MAX_DEPTH) throw new StopLooking(TOO_MUCH);
    if (first === OPEN_ARRAY) return this.#readList(start, (at) => this.#readTool(at, depth));
    if (first === OPEN_OBJECT || first === QUOTE) throw new StopLooking('tools');
    return endOfValue(this.#bytes, start);
  }

  /**
   * Reads the objects in a list, and skips all other entries, which contain no parts. Returns the position after the
   * list.
   */
  #readList(start: number, readObject: (at: number) => number): number {
    const bytes = this.#bytes;
    let at = skipSpace(bytes, start + 1);
    if (bytes[at] === CLOSE_ARRAY) return at + 1;
    for (;;) {
      this.#look();
      const end = bytes[at] === OPEN_OBJECT ? readObject(at) : endOfValue(bytes, at);
      if (end <= at) throw new StopLooking(TOO_MUCH);
      at = skipSpace(bytes, end);
      if (bytes[at] === CLOSE_ARRAY) return at + 1;
      if (bytes[at] !== COMMA) throw new StopLooking(TOO_MUCH);
      at = skipSpace(bytes, at + 1);
    }
  }

  #readPart(start: number, place: PartPlace): number {
    if (place.depth > MAX_DEPTH) throw new StopLooking(TOO_MUCH);
    const members: Members = new Map();
    const end = this.#readObject(start, members, (name, at) => {
      const isHeld = HOLDERS.has(name) && (this.#bytes[at] === OPEN_OBJECT || this.#bytes[at] === OPEN_ARRAY);
      return isHeld ? this.readParts(at, { depth: place.depth + 1, holder: name }) : endOfValue(this.#bytes, at);
    });
    this.surplusBytes += judgePart(this.#bytes, members, { ...place, path: this.#path });
    return end;
  }

  #readTool(start: number, depth: number): number {
    const members: Members = new Map();
    const end = this.#readObject(start, members, (name, at) =>
      name === 'tools' ? this.readTools(at, depth + 1) : endOfValue(this.#bytes, at),
    );
    if (!judgeTool(this.#bytes, members)) throw new StopLooking('tools');
    return end;
  }

  #readObject(start: number, members: Members, readValue: (name: string, at: number) => number): number {
    const bytes = this.#bytes;
    let at = skipSpace(bytes, start + 1);
    if (bytes[at] === CLOSE_OBJECT) return at + 1;
    for (;;) {
      this.#look();
      if (bytes[at] !== QUOTE) throw new StopLooking(TOO_MUCH);
      const keyEnd = endOfString(bytes, at);
      const name = this.#readName(at, keyEnd);
      const colon = skipSpace(bytes, keyEnd);
      if (bytes[colon] !== COLON) throw new StopLooking(TOO_MUCH);
      // It is unknown which of several duplicate members a provider uses, and a provider that ignores case could read a
      // different member.
      if (members.has(name) || name !== name.toLowerCase()) throw new StopLooking(name);
      const valueStart = skipSpace(bytes, colon + 1);
      const end = readValue(name, valueStart);
      if (end <= valueStart) throw new StopLooking(TOO_MUCH);
      members.set(name, { start: valueStart, end });
      at = skipSpace(bytes, end);
      if (bytes[at] === CLOSE_OBJECT) return at + 1;
      if (bytes[at] !== COMMA) throw new StopLooking(TOO_MUCH);
      at = skipSpace(bytes, at + 1);
    }
  }

  #readName(start: number, end: number): string {
    if (end - start > MAX_NAME) throw new StopLooking('a long name');
    const text = this.#bytes.toString('utf8', start, end);
    if (!text.includes('\\')) return text.slice(1, -1);
    try {
      return JSON.parse(text) as string;
    } catch {
      throw new StopLooking('a name that cannot be parsed');
    }
  }

  #look(): void {
    this.#looks -= 1;
    if (this.#looks < 0) throw new StopLooking(TOO_MUCH);
  }
}
