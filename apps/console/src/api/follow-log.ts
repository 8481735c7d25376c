import { createParser } from 'eventsource-parser';
import type { LogPiece } from './answers.ts';
import { toApiError } from './api-error.ts';
import { requestStream } from './request.ts';

export interface LogListener {
  readonly onLines: (lines: readonly LogLine[]) => void;
  /**
   * Called with true when lines begin to arrive as they are written, and with false when the connection is interrupted.
   */
  readonly onConnected: (isConnected: boolean) => void;
}

export interface LogLine {
  /** Id of the line, the same on all connections: its block and its position in the block. */
  readonly key: string;
  readonly text: string;
  /** Step of the run. */
  readonly step: string | null;
}

const RECONNECT_MS = 500;

/**
 * Follows a log to its end, over several connections if needed: each connection continues after the last line of the
 * previous one, and a repeated line is reported only once. Ends when the run ends or `signal` is aborted.
 * @throws ApiError if the service refuses to return the log
 */
export async function followLog(path: string, listener: LogListener, signal: AbortSignal): Promise<void> {
  const told: ToldLines = new Map();
  let position: string | undefined;
  for (;;) {
    await waitUntilSeen(signal);
    if (signal.aborted) return;
    const released = new AbortController();
    let pauseMs = RECONNECT_MS;
    const stop = endTogether(released, signal);
    try {
      const headers = { accept: 'text/event-stream', ...(position === undefined ? {} : { 'last-event-id': position }) };
      const stream = await requestStream(`${path}?follow=1`, { headers, signal: released.signal });
      listener.onConnected(true);
      if (await read(stream)) return;
    } catch (error) {
      if (signal.aborted) return;
      const { status, retryAfterSeconds = 0 } = toApiError(error);
      if (status >= 400 && status < 500 && status !== 429) throw error;
      pauseMs = Math.max(RECONNECT_MS, retryAfterSeconds * 1000);
    } finally {
      stop();
    }
    if (signal.aborted) return;
    // While the page is hidden, its connection is closed, so that other pages can use its slot (LIM-72); reading
    // resumes when the page is shown.
    if (released.signal.aborted) continue;
    listener.onConnected(false);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }

  /** Reports the lines of a stream. Returns whether the service reported the end. */
  async function read(stream: ReadableStream<Uint8Array>): Promise<boolean> {
    let isEnded = false;
    let fresh: LogLine[] = [];
    const counts = new Map<string, number>();
    const parser = createParser({
      onEvent: ({ event, data, id }) => {
        if (event === 'end') isEnded = true;
        if (event === 'log') fresh.push(...takeLines(JSON.parse(data) as LogPiece, counts));
        if (id !== undefined && id !== '') position = id;
      },
    });
    const decoder = new TextDecoder();
    const reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return isEnded;
      parser.feed(decoder.decode(value, { stream: true }));
      if (fresh.length > 0) listener.onLines(fresh);
      fresh = [];
      if (isEnded) {
        await reader.cancel();
        return true;
      }
    }
  }

  /**
   * Returns the lines of a block that were not reported before. A block may arrive as a whole or line by line: a line
   * is identified by its block and its position in the block.
   */
  function takeLines({ id, text, step }: LogPiece, counts: Map<string, number>): LogLine[] {
    return text.split('\n').flatMap((line) => {
      const place = counts.get(id) ?? 0;
      counts.set(id, place + 1);
      if (place < (told.get(id) ?? 0)) return [];
      told.set(id, place + 1);
      if (told.size > KNOWN_PIECES) told.delete(told.keys().next().value ?? '');
      return [{ key: `${id} ${place}`, text: line, step }];
    });
  }
}

/** Number of reported lines per block. */
type ToldLines = Map<string, number>;

/** Maximum number of remembered blocks: after an interrupted connection, only the last few blocks are repeated. */
const KNOWN_PIECES = 1000;

const isHidden = (): boolean => document.visibilityState === 'hidden';

async function waitUntilSeen(signal: AbortSignal): Promise<void> {
  if (!isHidden() || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (isHidden() && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
  });
}

/**
 * Ends the connection when the page is hidden, or when the log is no longer needed.
 * @returns a function that removes both listeners
 */
function endTogether(connection: AbortController, signal: AbortSignal): () => void {
  const end = (): void => {
    if (signal.aborted || isHidden()) connection.abort();
  };
  document.addEventListener('visibilitychange', end);
  signal.addEventListener('abort', end);
  return () => {
    document.removeEventListener('visibilitychange', end);
    signal.removeEventListener('abort', end);
  };
}
