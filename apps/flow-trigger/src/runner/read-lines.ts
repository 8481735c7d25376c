import type { Readable } from 'node:stream';

/**
 * Maximum length of a line. Longer lines are passed on in parts: output without line breaks must not fill the memory of
 * the worker.
 */
const MAX_LINE_BYTES = 16 * 1024;

/** Progress of reading a stream. */
export interface ReadMeter {
  bytes: number;
  /** Whether the reader is ready, but the stream has no data. */
  isWaiting: boolean;
}

export function startMeter(): ReadMeter {
  return { bytes: 0, isWaiting: true };
}

/**
 * Reads a stream line by line and waits until each line is processed: a slow consumer slows the writer down instead of
 * filling the buffer. An error of the stream ends the reading.
 */
export async function readLines(
  stream: Readable,
  onLine: (line: string) => Promise<void>,
  meter = startMeter(),
): Promise<void> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  const take = async (text: string): Promise<void> => {
    rest += text;
    for (let end = findLineEnd(rest); end !== undefined; end = findLineEnd(rest)) {
      const line = rest.slice(0, end.length);
      rest = rest.slice(end.next);
      await onLine(line);
    }
  };
  try {
    for await (const data of stream as AsyncIterable<Buffer>) {
      meter.isWaiting = false;
      meter.bytes += data.byteLength;
      await take(decoder.decode(data, { stream: true }));
      meter.isWaiting = true;
    }
  } catch (error) {
    if (!isBreak(stream, error)) throw error;
  }
  await take(decoder.decode());
  if (rest !== '') await onLine(rest);
}

/** Returns true for an error of the stream, false for an error of the consumer. */
function isBreak(stream: Readable, error: unknown): boolean {
  return error === stream.errored || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
}

function findLineEnd(text: string): { length: number; next: number } | undefined {
  const feed = text.indexOf('\n');
  if (feed >= 0 && feed <= MAX_LINE_BYTES) {
    return { length: text[feed - 1] === '\r' ? feed - 1 : feed, next: feed + 1 };
  }
  return text.length > MAX_LINE_BYTES ? { length: MAX_LINE_BYTES, next: MAX_LINE_BYTES } : undefined;
}
