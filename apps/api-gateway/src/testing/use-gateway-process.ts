import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppProcess } from '@steward/testing';
import type { usePeople } from './people-tests.ts';
import { startGatewayProcess } from './start-gateway-process.ts';

/** Number of the slowest requests that are ignored at least: one stall may affect three of them. */
const LEAST_IGNORED = 3;
/** Number of requests that are measured at least: those after a short attack show whether it has an effect later. */
const LEAST_REQUESTS = 20;
/** Number of requests with which the usual time is measured. */
const USUAL_REQUESTS = 300;
/**
 * Pause between two requests: a client without pauses would itself compete with the measured process for the processor.
 */
const PAUSE_MS = 5;
const MOST_MS = 500;
const PEAK = /VmHWM:\s+(\d+) kB/;

/** Starts a gateway in a separate process, so that its memory and its time are measured separately. */
export function useGatewayProcess(
  people: ReturnType<typeof usePeople>,
  environment: () => Readonly<Record<string, string>> = () => ({}),
) {
  let app: AppProcess;
  let url: string;
  beforeAll(async () => {
    ({ app, url } = await startGatewayProcess(people, environment()));
  });
  afterAll(() => app.kill());

  const send = (method: string, path: string, token: string, body?: string | object, type = 'application/json') =>
    fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  /**
   * Returns the 99th percentile of the durations of a user's requests, which are sent one after the other until
   * `isOver`; of fewer than 300, the slowest after three.
   */
  async function findP99Ms(token: string, isOver: (sent: number) => boolean): Promise<number> {
    const times: number[] = [];
    while (!isOver(times.length)) {
      const startedAt = performance.now();
      const answer = await send('GET', '/users/me', token);
      await answer.arrayBuffer();
      expect(answer.status).toBe(200);
      times.push(performance.now() - startedAt);
      await delay(PAUSE_MS);
    }
    const ignored = Math.max(LEAST_IGNORED, times.length - Math.ceil(times.length * 0.99));
    return times.sort((a, b) => b - a)[ignored] ?? 0;
  }

  return {
    url: () => url,
    send,
    /**
     * Expects that a user waits no longer than usual until `attack` is over. On a machine that is busy with other work,
     * every request takes longer, so the usual time is measured if the limit is exceeded.
     */
    async expectNoWait(token: string, attack: Promise<unknown>): Promise<void> {
      let isOver = false;
      const end = (): void => void (isOver = true);
      attack.then(end, end);
      const p99Ms = await findP99Ms(token, (sent) => isOver && sent >= LEAST_REQUESTS);
      if (p99Ms < MOST_MS) return;
      expect(p99Ms).toBeLessThan(3 * (await findP99Ms(token, (sent) => sent === USUAL_REQUESTS)));
    },
    /** Returns the maximum memory in MiB since the last call. */
    readPeakMb(): number {
      const peak = Number(PEAK.exec(readFileSync(`/proc/${app.pid}/status`, 'utf8'))?.[1]) / 1024;
      writeFileSync(`/proc/${app.pid}/clear_refs`, '5');
      return peak;
    },
  };
}
