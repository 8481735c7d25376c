/** Describes what to search for in JSON while it is passed through, and what to do with the results. */
export interface JsonSearch {
  /**
   * Paths of members from the top level, with at most two names, joined by a dot: `usage`, `response.usage`. Paths
   * through a list match members of its entries: `output[].type`, `[].error`.
   */
  readonly paths: ReadonlySet<string>;
  /**
   * Called for each member that is found, with its value in the original form; not called if the value exceeds 16 KiB.
   */
  readonly onMember: (path: string, json: string) => void;
  /** Names of members, at any depth, whose strings are counted. */
  readonly textNames: ReadonlySet<string>;
}

/**
 * Reads JSON piece by piece and buffers only the members that are searched for, so that JSON of any size takes the same
 * memory.
 */
export interface JsonScanner {
  read(bytes: Buffer, start: number, end: number): void;
  /** Prepares the scanner for a new JSON text. */
  reset(): void;
  /** Number of bytes of the strings counted so far, in their encoded form, over all JSON texts. */
  readonly textBytes: number;
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const MAX_NAME = 64;
const MAX_MEMBER = 16 * 1024;
/** Maximum depth. No member that is searched for is deeper; deeper nesting only serves to exhaust memory. */
const MAX_DEPTH = 256;

interface Capture {
  readonly path: string;
  readonly depth: number;
  readonly parts: string[];
  length: number;
}

/** Scanner that reads invalid JSON as far as possible instead of throwing an error. */
class Scanner implements JsonScanner {
  textBytes = 0;
  readonly #search: JsonSearch;
  /** Kinds of the containers around the current position: true for an object, false for a list. */
  #containers: boolean[] = [];
  /** Current member names at the two outermost levels. */
  readonly #path: [string, string] = ['', ''];
  #name = '';
  #isInString = false;
  #isEscaped = false;
  #isName = false;
  #expectsName = false;
  #capture: Capture | undefined;
  #isTooDeep = false;

  constructor(search: JsonSearch) {
    this.#search = search;
  }

  reset(): void {
    this.#containers = [];
    this.#name = '';
    this.#isInString = this.#isEscaped = this.#isName = this.#expectsName = this.#isTooDeep = false;
    this.#capture = undefined;
  }

  read(bytes: Buffer, start: number, end: number): void {
    let at = start;
    let captured = start;
    while (at < end && !this.#isTooDeep) {
      if (this.#isInString) {
        at = this.#readString(bytes, at, end);
        continue;
      }
      const byte = bytes[at] as number;
      const { length: depth } = this.#containers;
      if (this.#capture?.depth === depth && (byte === COMMA || byte === CLOSE_OBJECT)) {
        this.#keep(bytes, captured, at);
        this.#endCapture();
      }
      at += 1;
      if (byte === COLON && this.#beginCapture(depth)) captured = at;
      else if (byte > 0x20) this.#readMark(byte);
    }
    this.#keep(bytes, captured, at);
  }

  #readMark(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.#isInString = true;
        this.#isName = this.#expectsName;
        if (this.#isName) this.#name = '';
        return;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        this.#containers.push(byte === OPEN_OBJECT);
        this.#expectsName = byte === OPEN_OBJECT;
        this.#isTooDeep = this.#containers.length > MAX_DEPTH;
        return;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        this.#containers.pop();
        this.#expectsName = false;
        return;
      case COMMA:
        this.#expectsName = this.#containers.at(-1) === true;
        return;
      case COLON:
        this.#expectsName = false;
    }
  }

  /** Reads to the end of the string or of the chunk; returns that position. */
  #readString(bytes: Buffer, start: number, end: number): number {
    let at = start;
    while (at < end) {
      const byte = bytes[at] as number;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) break;
      at += 1;
    }
    if (this.#isName) {
      if (this.#name.length < MAX_NAME) this.#name += bytes.toString('latin1', start, Math.min(at, start + MAX_NAME));
    } else if (this.#search.textNames.has(this.#name)) this.textBytes += at - start;
    if (at === end) return at;
    this.#isInString = false;
    if (this.#isName) this.#placeName();
    return at + 1;
  }

  #placeName(): void {
    const { length: depth } = this.#containers;
    if (depth === 1) this.#path[0] = this.#name;
    else if (depth === 2) this.#path[1] = this.#name;
  }

  /** Called after the colon of a member: returns true if the member is searched for, and begins to buffer its value. */
  #beginCapture(depth: number): boolean {
    this.#expectsName = false;
    if (this.#capture !== undefined || depth === 0 || depth > 3 || this.#containers[depth - 1] !== true) return false;
    if (depth === 3 && this.#containers[0] !== true) return false;
    if (depth === 3 && this.#containers[1] !== false) return false;
    const path = this.#describePath(depth);
    if (!this.#search.paths.has(path)) return false;
    this.#capture = { path, depth, parts: [], length: 0 };
    return true;
  }

  #describePath(depth: number): string {
    const [first, second] = this.#path;
    if (depth === 1) return first;
    if (depth === 2) return this.#containers[0] === true ? `${first}.${second}` : `[].${second}`;
    return `${first}[].${this.#name}`;
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    if (this.#capture === undefined || end <= start) return;
    this.#capture.length += end - start;
    if (this.#capture.length <= MAX_MEMBER) this.#capture.parts.push(bytes.toString('latin1', start, end));
  }

  #endCapture(): void {
    const capture = this.#capture;
    this.#capture = undefined;
    if (capture === undefined || capture.length > MAX_MEMBER) return;
    const json = Buffer.from(capture.parts.join(''), 'latin1').toString().trim();
    this.#search.onMember(capture.path, json);
  }
}

export function createJsonScanner(search: JsonSearch): JsonScanner {
  return new Scanner(search);
}
