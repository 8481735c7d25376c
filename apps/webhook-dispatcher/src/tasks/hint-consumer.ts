import { setTimeout as delay } from 'node:timers/promises';
import type { Broker } from '@steward/broker';
import type { Component } from '@steward/process';

/**
 * Number of hints processed at the same time. One wake-up of the loop finds all rows, so further hints are dropped
 * unread.
 */
const HINTS_AT_ONCE = 16;
/**
 * Time for which a hint occupies its slot. This limits the number of hints read to 800 per second; the first hint wakes
 * the loop without delay.
 */
const HINT_HOLD_MS = 20;

/**
 * Creates the consumer of messages, which wake the loop. The work queue is in the database, so a message is
 * acknowledged as soon as it is received.
 */
export function createHintConsumer(broker: Broker, nudge: () => void): Component {
  let consumption: ReturnType<typeof broker.consume> | undefined;
  return {
    name: 'hint consumer',
    start() {
      const ring = async (): Promise<void> => {
        nudge();
        await delay(HINT_HOLD_MS);
      };
      consumption = broker.consume('event-emitted', ring, { concurrency: HINTS_AT_ONCE, dropBeyond: HINTS_AT_ONCE });
    },
    async stop() {
      await consumption?.stop(1000);
    },
  };
}
