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
   * Called with the position in the chunk at which the event ends: after its empty line, or before the second byte of
   * that line's terminator.
   */
  readonly onEnd: (end: number) => void;
}

const [LF, CR, COLON, SPACE] = [0x0a, 0x0d, 0x3a, 0x20];
const FIELD = 'data';

/**
 * Creates a parser that conforms to the standard of event streams: lines end with LF, CR or both; an empty line ends an
 * event. Only the field `data` is read.
 */
export function createEventLines({ onData, onEnd }: EventLinesOptions): EventLines {
  /**
   * State at the start of a line: below 4 the number of matched letters of the field name; at 4 a colon is expected, at
   * 5 an optional space.
   */
  let matched = 0;
  let isData = false;
  let isOther = false;
  let isEmpty = true;
  let endedWithCr = false;

  function readLineStart(byte: number): boolean {
    isEmpty = false;
    if (matched < FIELD.length) {
      isOther = byte !== FIELD.charCodeAt(matched);
      matched += 1;
      return true;
    }
    if (matched === FIELD.length) {
      isOther = byte !== COLON;
      matched += 1;
      return true;
    }
    isData = true;
    return byte === SPACE;
  }

  function beginLine(): void {
    matched = 0;
    isData = isOther = false;
    isEmpty = true;
  }

  return {
    read(chunk) {
      let at = 0;
      let start = 0;
      for (; at < chunk.byteLength; at += 1) {
        const byte = chunk[at] as number;
        if (byte === LF && endedWithCr) {
          endedWithCr = false;
          start = at + 1;
          continue;
        }
        endedWithCr = byte === CR;
        if (byte === LF || byte === CR) {
          if (isData && at > start) onData(chunk, start, at);
          if (isEmpty) onEnd(at + 1);
          beginLine();
          start = at + 1;
        } else if (!isData && !isOther) {
          const isBefore = readLineStart(byte);
          if (isData) start = isBefore ? at + 1 : at;
        }
      }
      if (isData && at > start) onData(chunk, start, at);
    },
  };
}
