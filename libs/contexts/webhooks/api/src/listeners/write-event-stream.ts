import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@steward/async';
import { cutWhenStalled } from '@steward/api';
import {
  buildRequestHeaders,
  formatPosition,
  toTimestamp,
  type ListenerEvent,
  type ListenerRead,
} from '@steward/webhooks';

type Page = Extract<ListenerRead, { kind: 'read' }>;

export interface EventStream {
  readonly first: Page;
  readonly secret: string;
  /** Returns the next page of events; undefined if no more events may be read. */
  readonly readNext: (position: Page['position']) => Promise<Page | undefined>;
  /**
   * Checks whether the caller may still read. It is called whenever a keep-alive is due, even while the reader is slow
   * to take a page.
   */
  readonly mayGoOn: () => Promise<boolean>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const LOOK_EVERY_MS = 500;
const SIGN_OF_LIFE_MS = 15_000;

/**
 * Writes events as they arrive, at the reader's pace, until the signal is aborted, the reader disconnects, or no more
 * events may be read. Each event is signed when it is written.
 */
export async function writeEventStream(response: ServerResponse, stream: EventStream): Promise<void> {
  const { signal } = stream;
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  cutWhenStalled(response);
  const write = async (id: string, event: string, data: object): Promise<void> => {
    if (!response.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      await once(response, 'drain', { signal });
  };
  let askedAt = Date.now();
  const mayGoOn = async (): Promise<boolean> => {
    if (Date.now() - askedAt < SIGN_OF_LIFE_MS) return true;
    askedAt = Date.now();
    return stream.mayGoOn();
  };
  const writeAll = async (events: Page['events']): Promise<boolean> => {
    for (const event of events) {
      if (!(await mayGoOn())) return false;
      await write(event.position, event.eventType, signEvent(event, stream));
    }
    return mayGoOn();
  };
  try {
    let page: Page | undefined = stream.first;
    let shownAt = 0;
    while (page !== undefined && !signal.aborted && (await writeAll(page.events))) {
      if (Date.now() - shownAt >= SIGN_OF_LIFE_MS) {
        await write(formatPosition(page.position), 'ping', {});
        shownAt = Date.now();
      }
      if (!page.hasMore) await sleep(LOOK_EVERY_MS, undefined, { signal });
      page = await stream.readNext(page.position);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  response.end();
}

/** Returns the POST request that would be sent for this event: its headers, and its body byte for byte. */
function signEvent(event: ListenerEvent, { secret, clock }: Pick<EventStream, 'secret' | 'clock'>) {
  const timestamp = toTimestamp(clock.now());
  const headers = buildRequestHeaders({ ...event, attemptNumber: 1, secrets: [secret], timestamp });
  return { headers, body: event.body.toString() };
}
