import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { describeRefusal, readAnswer, type Answer } from '../api/answer.ts';
import type { ApiClient } from '../api/api-client.ts';

/** Error for a stream that the service refused; the body contains the reason. */
export class StreamRefusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(describeRefusal(answer));
    this.answer = answer;
  }
}

export interface StreamedEvent {
  /** The position in the stream after the event. */
  readonly id: string;
  /** `ping`, or the type of the event. */
  readonly type: string;
  readonly data: string;
  /** Time by which this machine's clock is ahead of the service's clock. */
  readonly clockAheadMs: number;
}

/**
 * Time after which a silent stream is considered blocked in a proxy: the service sends something at least every 15 s.
 */
const SILENT_MS = 45_000;
/** Time of suspension after which a machine has lost its connections. */
const SLEPT_MS = 30_000;
const LOOK_EVERY_MS = 2_000;

/** Yields the events of one connection until it ends; events are read no faster than they are processed. */
export async function* readEventStream(
  client: ApiClient,
  path: string,
  { place, signal }: { readonly place: string | undefined; readonly signal: AbortSignal },
): AsyncGenerator<StreamedEvent, void> {
  const watch = watchConnection();
  try {
    const response = await client.send('GET', path, {
      headers: { accept: 'text/event-stream', ...(place === undefined ? {} : { 'last-event-id': place }) },
      signal: AbortSignal.any([signal, watch.signal]),
      timeoutMs: 2 ** 31 - 1,
      retries: 0,
    });
    if (!response.ok) throw new StreamRefusal(await readAnswer(response));
    const clockAheadMs = measureClock(response);
    const parsed: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (event) => void parsed.push(event) });
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    for (;;) {
      watch.wait();
      const part = await reader?.read();
      watch.come();
      if (part === undefined || part.done) return;
      parser.feed(decoder.decode(part.value as Uint8Array, { stream: true }));
      for (const { id = '', event = 'message', data } of parsed.splice(0))
        yield { id, type: event, data, clockAheadMs };
    }
  } finally {
    watch.end();
  }
}

function measureClock(response: Response): number {
  const serviceTime = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(serviceTime) ? 0 : Date.now() - serviceTime;
}

/** Watches a connection, and aborts it if it is silent, or if this machine was suspended during it. */
function watchConnection() {
  const ending = new AbortController();
  let waitingSince: number | undefined = Date.now();
  let lookedAt = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    const hasSlept = now - lookedAt > SLEPT_MS;
    const isSilent = waitingSince !== undefined && now - waitingSince > SILENT_MS;
    lookedAt = now;
    if (hasSlept || isSilent) ending.abort(new Error('the connection has been idle for too long'));
  }, LOOK_EVERY_MS);
  return {
    signal: ending.signal,
    wait: () => void (waitingSince = Date.now()),
    come: () => void (waitingSince = undefined),
    end() {
      clearInterval(timer);
      ending.abort(new Error('the connection was closed'));
    },
  };
}
