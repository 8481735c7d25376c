import { createEventLines } from './event-lines.ts';

/** Takes the chunk with the usage out of a stream of chat; every other byte passes as it came. */
export interface UsageChunkFilter {
  pass(chunk: Buffer): Buffer[];
  /** What is held of an event that has not ended. */
  flush(): Buffer[];
}

/** An event that is larger is none about usage, and goes on before its end. */
const MAX_HELD = 64 * 1024;
const [LF, CR] = [0x0a, 0x0d];

/** An event goes on when it is whole: a client cannot read it earlier either. */
export function createUsageChunkFilter(): UsageChunkFilter {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let data = '';
  let isPassing = false;
  let endedWith: 'passed' | 'withheld' | undefined;
  let out: Buffer[] = [];
  let chunk: Buffer = Buffer.alloc(0);
  /** What is passed of the chunk begins here; the event that is read, there. */
  let passFrom = 0;
  let eventFrom = 0;

  const lines = createEventLines({
    onData(bytes, start, end) {
      if (!isPassing && data.length + end - start <= MAX_HELD) data += bytes.toString('latin1', start, end);
    },
    onEnd(end) {
      const isWithheld = !isPassing && isUsageChunk(data);
      if (isWithheld) {
        push(passFrom, eventFrom);
        passFrom = end;
      } else out.push(...held);
      held = [];
      heldBytes = 0;
      data = '';
      isPassing = false;
      eventFrom = end;
      endedWith = chunk[end - 1] === CR ? (isWithheld ? 'withheld' : 'passed') : undefined;
      takeLf();
    },
  });

  /** What ends with CR is known before the LF behind it, which may come with the next chunk: it belongs to what it follows. */
  function takeLf(): void {
    if (endedWith === undefined || eventFrom === chunk.byteLength) return;
    if (chunk[eventFrom] === LF) {
      eventFrom += 1;
      if (endedWith === 'withheld') passFrom = eventFrom;
    }
    endedWith = undefined;
  }

  function push(from: number, to: number): void {
    if (to > from) out.push(chunk.subarray(from, to));
  }

  /** What was passed of the chunk so far, and what is held back of it. */
  function endChunk(): void {
    if (isPassing) return push(passFrom, chunk.byteLength);
    push(passFrom, eventFrom);
    const rest = chunk.subarray(eventFrom);
    if (rest.byteLength === 0) return;
    held.push(rest);
    heldBytes += rest.byteLength;
    if (heldBytes <= MAX_HELD) return;
    out.push(...held);
    held = [];
    isPassing = true;
  }

  return {
    pass(next) {
      out = [];
      chunk = next;
      passFrom = eventFrom = 0;
      takeLf();
      lines.read(next);
      endChunk();
      return out;
    },
    flush() {
      // A stream may end without the blank line behind its last event.
      const rest = !isPassing && isUsageChunk(data) ? [] : held;
      held = [];
      return rest;
    },
  };
}

/** Some servers count in a chunk that says something, too: that one stays. */
function isUsageChunk(data: string): boolean {
  if (!data.includes('"usage"')) return false;
  try {
    const chunk = JSON.parse(data) as { choices?: unknown; usage?: unknown } | null;
    const isEmpty = Array.isArray(chunk?.choices) && chunk.choices.length === 0;
    return isEmpty && typeof chunk.usage === 'object' && chunk.usage !== null;
  } catch {
    return false;
  }
}
