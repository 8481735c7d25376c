import { NameCounter } from './name-counter.ts';

/** What a JSON text would cost to read, told from its bytes before anything reads it. */
export interface JsonMeasure {
  /** True when reading ended at a level beyond the one asked for; the counts end there too. */
  readonly isTooDeep: boolean;
  /** Members of objects and entries of arrays, all levels together. */
  readonly values: number;
  /** Different member names, 0 when they were not asked for. Never too high, of 20,000 about 1 % too low. */
  readonly names: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SPACE = 0x20;

/**
 * One pass, without recursion, over bytes that need not be valid JSON. A name is a string before a colon.
 * Different names are what an object costs: 200,000 members in rows of the same ten columns are parsed in 25 ms, 200,000
 * with a name of their own in 230 ms.
 */
export function measureJson(
  bytes: Buffer,
  { maxDepth, countsNames }: { readonly maxDepth: number; readonly countsNames: boolean },
): JsonMeasure {
  const names = countsNames ? new NameCounter() : undefined;
  let [depth, values, isOpened] = [0, 0, false];
  let [stringStart, stringEnd] = [0, 0];
  for (let index = 0; index < bytes.length && depth <= maxDepth; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte <= SPACE) continue;
    const wasOpened = isOpened;
    isOpened = false;
    // A brace and its bracket differ in this bit alone, and every other sign has it.
    switch (byte | SPACE) {
      case QUOTE:
        stringStart = index + 1;
        stringEnd = index = findStringEnd(bytes, stringStart);
        break;
      case COLON:
        names?.add(bytes, stringStart, stringEnd);
        break;
      case COMMA:
        values += 1;
        break;
      case OPEN:
        depth += 1;
        // The first value inside has no comma before it; taken back when there is none.
        values += 1;
        isOpened = true;
        break;
      case CLOSE:
        depth -= 1;
        if (wasOpened) values -= 1;
    }
  }
  return { isTooDeep: depth > maxDepth, values, names: names?.count ?? 0 };
}

/** Index of the closing quote, or the end of the bytes. */
function findStringEnd(bytes: Buffer, start: number): number {
  let index = start;
  for (; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === BACKSLASH) index += 1;
    else if (byte === QUOTE) break;
  }
  return index;
}
