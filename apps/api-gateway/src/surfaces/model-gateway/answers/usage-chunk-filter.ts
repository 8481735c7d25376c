import { createEventLines } from '@steward/model-calls';

/** Removes the chunk with the usage from a chat stream; all other bytes are passed on unchanged. */
export interface UsageChunkFilter {
  pass(chunk: Buffer): Buffer[];
  /** Returns the buffered part of an unfinished event, unless the event contains only the usage. */
  flush(): Buffer[];
}

/** Maximum size of a buffered event. A larger event contains no usage, and is passed on before it is complete. */
const MAX_HELD = 64 * 1024;
const [LF, CR] = [0x0a, 0x0d];
/** Replaces the last chunk, so that the filter of an idle stream keeps no chunk in memory. */
const NOTHING = Buffer.alloc(0);

/** Creates the filter. It passes on an event when the event is complete: a client cannot parse it earlier either. */
export function createUsageChunkFilter(): UsageChunkFilter {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let data = '';
  let isPassing = false;
  let endedWith: 'passed' | 'withheld' | undefined;
  let out: Buffer[] = [];
  let chunk: Buffer = NOTHING;
  /** `passFrom`: start of the part of the chunk that is passed on; `eventFrom`: start of the current event. */
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

  /** Assigns an LF that follows a CR to the event that ended with the CR; the LF may begin the next chunk. */
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

  /** Emits the finished part of the chunk, and buffers the rest. */
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
      chunk = next;
      passFrom = eventFrom = 0;
      takeLf();
      lines.read(next);
      endChunk();
      const passed = out;
      chunk = NOTHING;
      out = [];
      return passed;
    },
    flush() {
      // A stream may end without the blank line after its last event.
      const rest = !isPassing && isUsageChunk(data) ? [] : held;
      held = [];
      return rest;
    },
  };
}

/**
 * Returns whether a chunk contains only the usage. Some servers add the counts to a chunk with content, which is passed
 * on.
 */
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
