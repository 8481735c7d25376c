import { setTimeout as delay } from 'node:timers/promises';
import { setScheduleClock } from '@steward/flows/testing';
import { connectClient } from '../../servers/connect-client.ts';

/** The clock of the schedules, which only this object advances. */
export interface ScheduleClock {
  /** Advances the clock to the next minute as soon as the database is available. Returns the time that is due then. */
  advance(): Promise<Date>;
}

const FIRST_MINUTE = Date.parse('2026-06-01T00:00:00Z');
const MINUTE_MS = 60_000;
const INTO_MINUTE_MS = 20_000;
const RETRY_MS = 500;

/** @param url - URL of the database, with the role that owns the schema */
export function createScheduleClock(url: string): ScheduleClock {
  let minute = 0;
  async function trySet(time: Date): Promise<boolean> {
    try {
      const client = await connectClient(url);
      client.on('error', () => undefined);
      try {
        await setScheduleClock(client, time);
        return true;
      } finally {
        await client.end().catch(() => undefined);
      }
    } catch {
      return false;
    }
  }
  return {
    async advance() {
      minute += 1;
      const due = new Date(FIRST_MINUTE + minute * MINUTE_MS);
      while (!(await trySet(new Date(due.getTime() + INTO_MINUTE_MS)))) await delay(RETRY_MS);
      return due;
    },
  };
}
