import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Maximum time for which a reader may accept no data, and maximum time in total (LIM-60). */
export interface ReaderTimeouts {
  readonly stallMs: number;
  readonly totalMs: number;
}

/**
 * Default limits. The limit for stalls equals the time that a request may take to arrive; the total limit equals the
 * time that the command-line client waits for an export.
 */
const TIMEOUTS: ReaderTimeouts = { stallMs: 60_000, totalMs: 3_600_000 };

/**
 * Ends a response if its reader reads nothing for `stallMs`, for example because it has disconnected without notice.
 * During a write, the socket counts the bytes that the reader accepts: only a reader that accepts no bytes is
 * considered idle.
 */
export function cutWhenStalled(response: ServerResponse, stallMs = TIMEOUTS.stallMs): void {
  response.setTimeout(stallMs, () => response.destroy());
}

/**
 * Writes lines at the pace of the reader: the next line is generated when the reader has received the earlier ones. If
 * the reader disconnects or is too slow, or a line cannot be generated, the response is truncated, and no error is
 * thrown.
 */
export async function sendLines(
  response: ServerResponse,
  lines: AsyncIterable<string>,
  client: AbortSignal,
  { stallMs, totalMs }: ReaderTimeouts = TIMEOUTS,
): Promise<void> {
  cutWhenStalled(response, stallMs);
  const signal = AbortSignal.any([client, AbortSignal.timeout(totalMs)]);
  // The stream buffers one line instead of the default of sixteen; the page that contains it is in memory, too.
  const source = Readable.from(lines, { highWaterMark: 1 });
  await pipeline(source, response, { signal }).catch(() => response.destroy());
}
