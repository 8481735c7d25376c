import { readFileSync, writeFileSync } from 'node:fs';
import type { AppProcess } from '@steward/testing';
import type { usePeople } from './people-tests.ts';
import { startGatewayProcess } from './start-gateway-process.ts';

const LEAST_REQUESTS = 200;
const PEAK = /VmHWM:\s+(\d+) kB/;

/** A gateway in a separate process, so that its memory and its time are measured alone. */
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
  return {
    url: () => url,
    send,
    /** 99th percentile of a user's consecutive requests, as many as time allows. */
    async findP99Ms(token: string, isOver: () => boolean): Promise<number> {
      const times: number[] = [];
      while (times.length < LEAST_REQUESTS || !isOver()) {
        const startedAt = performance.now();
        const answer = await send('GET', '/users/me', token);
        await answer.arrayBuffer();
        expect(answer.status).toBe(200);
        times.push(performance.now() - startedAt);
      }
      return times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0;
    },
    /** Maximum memory in MiB since the last call. */
    readPeakMb(): number {
      const peak = Number(PEAK.exec(readFileSync(`/proc/${app.pid}/status`, 'utf8'))?.[1]) / 1024;
      writeFileSync(`/proc/${app.pid}/clear_refs`, '5');
      return peak;
    },
  };
}
