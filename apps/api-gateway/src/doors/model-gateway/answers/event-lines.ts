/** The data of an event stream, in the pieces in which it comes. */
export interface EventLines {
  read(chunk: Buffer): void;
}

export interface EventLinesOptions {
  /** A part of an event's data: bytes of the chunk. Lines of one event follow each other. */
  readonly onData: (chunk: Buffer, start: number, end: number) => void;
  /** Where the event ends in the chunk: behind the end of its empty line, or before the second byte of that. */
  readonly onEnd: (end: number) => void;
}

const [LF, CR, COLON, SPACE] = [0x0a, 0x0d, 0x3a, 0x20];
const FIELD = 'data';

/** By the standard of event streams: lines end with LF, CR or both, an event with an empty one. Only `data` is read. */
export function createEventLines({ onData, onEnd }: EventLinesOptions): EventLines {
  /** Bytes of the line before its value: below 4 what matches the field's name, 4 its colon, 5 perhaps a space. */
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
