export interface JsonLimits {
  /** Maximum number of members of objects and entries of arrays, all levels together. */
  readonly maxValues: number;
  readonly maxDepth: number;
}

/** The limit that the JSON exceeds. */
export type JsonExcess = 'values' | 'depth' | 'events';

export interface JsonMeterOptions extends JsonLimits {
  /** Maximum number of events of a stream whose events are JSON; undefined for a single JSON text. */
  readonly maxEvents?: number | undefined;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Measures, while the bytes arrive, whether JSON is too expensive to parse: 4 MiB of `[[],[],...` take a hundred MiB in
 * memory. Stores nothing, and does not require valid JSON. A line break also ends a string, because no JSON string
 * contains a line break.
 */
export class JsonMeter {
  readonly #options: JsonMeterOptions;
  #values = 0;
  #depth = 0;
  #events = 0;
  #isInString = false;
  #isEscaped = false;
  #isLineEmpty = true;
  #wasReturn = false;

  constructor(options: JsonMeterOptions) {
    this.#options = options;
  }

  /**
   * Measures further bytes. Returns the limit that has been exceeded, if any; after that, the meter can no longer be
   * used.
   */
  add(bytes: Uint8Array): JsonExcess | undefined {
    const { maxValues, maxDepth } = this.#options;
    for (const byte of bytes) {
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) {
        if (this.#endLine(byte)) return 'events';
        continue;
      }
      this.#isLineEmpty = false;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInString = false;
        continue;
      }
      // The operation converts brackets to braces, which differ from brackets only in this bit. In all other characters
      // of interest, this bit is already set.
      switch (byte | SPACE) {
        case QUOTE:
          this.#isInString = true;
          break;
        case COMMA:
          this.#values += 1;
          break;
        case OPEN:
          this.#values += 1;
          this.#depth += 1;
          if (this.#depth > maxDepth) return 'depth';
          break;
        case CLOSE:
          this.#depth -= 1;
      }
      if (this.#values > maxValues) return 'values';
    }
    return undefined;
  }

  /** Ends a line, and returns true if the number of events exceeds the limit. */
  #endLine(byte: number): boolean {
    const { maxEvents } = this.#options;
    const isSecondHalf = byte === LINE_FEED && this.#wasReturn;
    this.#wasReturn = byte === CARRIAGE_RETURN;
    this.#isInString = this.#isEscaped = false;
    if (isSecondHalf || maxEvents === undefined) return false;
    if (this.#isLineEmpty) {
      this.#depth = 0;
      this.#events += 1;
    }
    this.#isLineEmpty = true;
    return this.#events > maxEvents;
  }
}

/** Returns the limit that the complete JSON exceeds; undefined if it exceeds none. */
export function findJsonExcess(bytes: Uint8Array, limits: JsonLimits): JsonExcess | undefined {
  return new JsonMeter(limits).add(bytes);
}
