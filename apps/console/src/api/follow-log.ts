import { createParser } from 'eventsource-parser';
import type { LogPiece } from './answers.ts';
import { toApiError } from './api-error.ts';
import { requestStream } from './request.ts';

export interface LogListener {
  readonly onLines: (lines: readonly LogLine[]) => void;
  /** Whether lines come as they are written. */
  readonly onConnected: (isConnected: boolean) => void;
}

export interface LogLine {
  /** The same over all connections: the piece it came in and its place there. */
  readonly key: string;
  readonly text: string;
}

const RECONNECT_MS = 500;

/**
 * Follows a log to its end, over as many connections as it takes: the next goes on behind the last line of the one before, and
 * a line that comes twice is told once. Ends when the run ended or `signal` says so. @throws ApiError when the log is refused
 */
export async function followLog(path: string, listener: LogListener, signal: AbortSignal): Promise<void> {
  const told = new Set<string>();
  let position: string | undefined;
  for (;;) {
    try {
      const headers = { accept: 'text/event-stream', ...(position === undefined ? {} : { 'last-event-id': position }) };
      const stream = await requestStream(`${path}?follow=1`, { headers, signal });
      listener.onConnected(true);
      if (await read(stream)) return;
    } catch (error) {
      if (signal.aborted) return;
      const { status } = toApiError(error);
      if (status >= 400 && status < 500 && status !== 429) throw error;
    }
    if (signal.aborted) return;
    listener.onConnected(false);
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }

  /** Answers whether the service said that there is no more. */
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

  /** A piece may come whole or line by line: a line is known by its piece and its place in it. */
  function takeLines({ id, text }: LogPiece, counts: Map<string, number>): LogLine[] {
    return text.split('\n').flatMap((line) => {
      const place = counts.get(id) ?? 0;
      counts.set(id, place + 1);
      const key = `${id} ${place}`;
      if (told.has(key)) return [];
      told.add(key);
      return [{ key, text: line }];
    });
  }
}
