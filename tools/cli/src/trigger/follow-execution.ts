import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../api/api-client.ts';
import { describeRefusal, readAnswer } from '../api/answer.ts';
import { CliError, EXIT, refuse } from '../exit-codes.ts';

export interface Execution {
  readonly id: string;
  readonly flow_name: string;
  readonly status: string;
  readonly failure_category: string | null;
  readonly error_message: string | null;
  readonly result: unknown;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

export interface LogLine {
  readonly id: string;
  readonly occurred_at: string;
  readonly step: string | null;
  readonly level: string | null;
  readonly text: string;
}

export interface FollowOptions {
  /**
   * Signal that is aborted when the time has elapsed or the caller is interrupted; `follow` then rejects with its
   * reason.
   */
  readonly signal: AbortSignal;
  /** Called with each line of the log. If undefined, the log is not read. */
  readonly onLine?: (line: LogLine) => void;
}

const TERMINAL = new Set(['SUCCEEDED', 'FAILED', 'STOPPED']);
/**
 * Time after which a silent stream is considered blocked in a proxy: the service sends something at least every 15 s.
 */
const SILENT_STREAM_MS = 45_000;
const LONG_POLL_SECONDS = 30;
const RECONNECT_DELAY_MS = 500;

/**
 * Waits for the end of an execution, streaming its log lines. Continues after restarts of the service and lost
 * connections, without reporting lines twice.
 */
export async function followExecution(
  client: ApiClient,
  executionId: string,
  options: FollowOptions,
): Promise<Execution> {
  const { onLine, signal } = options;
  const path = `/api/v1/flows/executions/${executionId}`;
  if (onLine === undefined) return waitByPolling(client, path, signal);
  const log: FollowedLog = { onLine, told: new Set(), position: undefined };
  for (;;) {
    const ended = await streamOnce(client, path, log, signal);
    const execution = await readExecution(client, path, signal);
    if (TERMINAL.has(execution.status)) {
      if (!ended) await tellRest(client, path, log, signal);
      return execution;
    }
    await delay(RECONNECT_DELAY_MS, undefined, { signal });
  }
}

/** State of the reported lines, across all connections. */
interface FollowedLog {
  readonly onLine: (line: LogLine) => void;
  readonly told: Set<string>;
  /** Id of the last event, from which the next connection continues. */
  position: string | undefined;
}

/**
 * Creates a function that reports each line once. The service stores lines that arrived together as one block, and may
 * send a block as a whole or line by line; therefore a line is identified by its block and its index in the block.
 */
function createTeller({ onLine, told }: FollowedLog): (block: LogLine) => void {
  const counts = new Map<string, number>();
  return (block) => {
    for (const text of block.text.split('\n')) {
      const place = counts.get(block.id) ?? 0;
      counts.set(block.id, place + 1);
      const key = `${block.id} ${place}`;
      if (told.has(key)) continue;
      told.add(key);
      onLine({ ...block, text });
    }
  };
}

async function readExecution(client: ApiClient, path: string, signal: AbortSignal): Promise<Execution> {
  return (await client.call('GET', path, { signal, retries: Number.POSITIVE_INFINITY })).body as unknown as Execution;
}

async function waitByPolling(client: ApiClient, path: string, signal: AbortSignal): Promise<Execution> {
  for (;;) {
    const timeoutMs = (LONG_POLL_SECONDS + 15) * 1000;
    const answer = await client.call('GET', `${path}?wait=${LONG_POLL_SECONDS}`, {
      signal,
      timeoutMs,
      retries: Number.POSITIVE_INFINITY,
    });
    const execution = answer.body as unknown as Execution;
    if (TERMINAL.has(execution.status)) return execution;
  }
}

/**
 * Reads one connection.
 * @returns true if the service reported the end of the execution; false if the connection was lost
 */
async function streamOnce(client: ApiClient, path: string, log: FollowedLog, signal: AbortSignal): Promise<boolean> {
  const silence = new AbortController();
  const watch = setTimeout(() => silence.abort(), SILENT_STREAM_MS);
  const tell = createTeller(log);
  let ended = false;
  const parser = createParser({
    onEvent(event: EventSourceMessage) {
      if (event.event === 'log') tell(JSON.parse(event.data) as LogLine);
      if (event.event === 'end') ended = true;
      if (event.id !== undefined && event.id !== '') log.position = event.id;
    },
  });
  try {
    const response = await client.send('GET', `${path}/logs?follow=1`, {
      headers: {
        accept: 'text/event-stream',
        ...(log.position === undefined ? {} : { 'last-event-id': log.position }),
      },
      signal: AbortSignal.any([signal, silence.signal]),
      // The stream lasts as long as the run, so that only its silence is monitored.
      timeoutMs: 2 ** 31 - 1,
      retries: 0,
    });
    if (!response.ok) throw await describeStreamRefusal(response);
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) {
      watch.refresh();
      parser.feed(decoder.decode(part as Uint8Array, { stream: true }));
      if (ended) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CliError && error.exitCode === EXIT.refused) throw error;
  } finally {
    clearTimeout(watch);
  }
  return ended;
}

async function describeStreamRefusal(response: Response): Promise<CliError> {
  const answer = await readAnswer(response);
  return answer.status >= 500 || answer.status === 429
    ? new CliError(EXIT.timedOut, describeRefusal(answer))
    : refuse(describeRefusal(answer));
}

/** Reads and reports, page by page, the lines that were missing from an interrupted stream. */
async function tellRest(client: ApiClient, path: string, log: FollowedLog, signal: AbortSignal): Promise<void> {
  const tell = createTeller(log);
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await client.call('GET', `${path}/logs?limit=200${query}`, { signal });
    const page = body as unknown as { items: LogLine[]; next_cursor: string | null };
    for (const line of page.items) tell(line);
    cursor = page.next_cursor;
  } while (cursor !== null);
}
