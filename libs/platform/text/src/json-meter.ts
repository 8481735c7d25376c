export interface JsonLimits {
  /** Members of objects and entries of arrays, all levels together. */
  readonly maxValues: number;
  readonly maxDepth: number;
}

/** Which limit a text passes. */
export type JsonExcess = 'values' | 'depth' | 'events';

export interface JsonMeterOptions extends JsonLimits {
  /** An event stream whose events are JSON, with so many of them at most; undefined: one JSON text. */
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
 * Tells from bytes, part by part as they come, that a JSON text costs more to parse than it may: 4 MiB of `[[],[],...` become
 * a hundred. Nothing is kept of it, and it need not be valid. No string of JSON goes over the end of a line.
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

  /** The limit that is passed by now; the meter is of no further use then. */
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
      // A brace and its bracket differ in this bit alone, and every other sign has it.
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

  /** True when that was an event too many. */
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

/** The limit that a whole text passes. */
export function findJsonExcess(bytes: Uint8Array, limits: JsonLimits): JsonExcess | undefined {
  return new JsonMeter(limits).add(bytes);
}
