import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@steward/crypto';
import { readClockMs } from '../statistics.ts';

export interface Emission {
  readonly eventId: string;
  /**
   * Time at which the event should have been emitted, in milliseconds since 1970, so that a late start does not hide a
   * slow emit.
   */
  readonly dueAt: number;
  readonly committedAt: number;
}

/** Emits events at a fixed rate, independent of the system: a slow emit never delays the next one. */
export async function emitOpenLoop(
  { ratePerSecond, seconds }: { readonly ratePerSecond: number; readonly seconds: number },
  emit: (eventId: string, index: number) => Promise<void>,
): Promise<Emission[]> {
  const startAt = readClockMs() + 50;
  const emissions: Promise<Emission>[] = [];
  for (let index = 0; index < ratePerSecond * seconds; index += 1) {
    const dueAt = startAt + (index * 1000) / ratePerSecond;
    const waitMs = dueAt - readClockMs();
    if (waitMs > 0) await delay(waitMs);
    const eventId = newId();
    emissions.push(emit(eventId, index).then(() => ({ eventId, dueAt, committedAt: readClockMs() })));
  }
  return Promise.all(emissions);
}
