/** Parses the data of an event stream from the chunks in which it arrives. */
export interface EventLines {
  read(chunk: Buffer): void;
}

export interface EventLinesOptions {
  /**
   * Called with the position of a part of an event's data within the chunk. The lines of one event are passed in order.
   */
  readonly onData: (chunk: Buffer, start: number, end: number) => void;
  /**
   * Called with the position in the chunk at which the event ends: after its empty line or, if that line ends with CR
   * and LF, between the two.
   */
  readonly onEnd: (end: number) => void;
}

const [LF, CR, COLON, SPACE] = [0x0a, 0x0d, 0x3a, 0x20];
const FIELD = 'data';

/**
 * Parser of one stream. A stream has up to two parsers, so their state is in the fields of an object, which take less
 * memory than closures.
 */
class Lines implements EventLines {
  readonly #options: EventLinesOptions;
  /**
   * State at the start of a line. Below 4, it is the number of matched letters of the field name; at 4, a colon is
   * expected; at 5, an optional space is expected.
   */
  #matched = 0;
  #isData = false;
  #isOther = false;
  #isEmpty = true;
  #endedWithCr = false;

  constructor(options: EventLinesOptions) {
    this.#options = options;
  }

  #readLineStart(byte: number): boolean {
    this.#isEmpty = false;
    if (this.#matched < FIELD.length) {
      this.#isOther = byte !== FIELD.charCodeAt(this.#matched);
      this.#matched += 1;
      return true;
    }
    if (this.#matched === FIELD.length) {
      this.#isOther = byte !== COLON;
      this.#matched += 1;
      return true;
    }
    this.#isData = true;
    return byte === SPACE;
  }

  #beginLine(): void {
    this.#matched = 0;
    this.#isData = this.#isOther = false;
    this.#isEmpty = true;
  }

  read(chunk: Buffer): void {
    const { onData, onEnd } = this.#options;
    let at = 0;
    let start = 0;
    for (; at < chunk.byteLength; at += 1) {
      const byte = chunk[at] as number;
      if (byte === LF && this.#endedWithCr) {
        this.#endedWithCr = false;
        start = at + 1;
        continue;
      }
      this.#endedWithCr = byte === CR;
      if (byte === LF || byte === CR) {
        if (this.#isData && at > start) onData(chunk, start, at);
        if (this.#isEmpty) onEnd(at + 1);
        this.#beginLine();
        start = at + 1;
      } else if (!this.#isData && !this.#isOther) {
        const isBefore = this.#readLineStart(byte);
        if (this.#isData) start = isBefore ? at + 1 : at;
      }
    }
    if (this.#isData && at > start) onData(chunk, start, at);
  }
}

/**
 * Creates a parser that conforms to the standard of event streams: lines end with LF, CR or both; an empty line ends an
 * event. Only the field `data` is read.
 */
export function createEventLines(options: EventLinesOptions): EventLines {
  return new Lines(options);
}
