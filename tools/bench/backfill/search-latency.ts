import { setTimeout as delay } from 'node:timers/promises';
import { createApi } from '../../src/demo/api.ts';
import { listQueryClasses } from '../search/query-classes.ts';
import { percentile } from '../statistics.ts';

const SEARCH = '/api/v1/runtime-sessions/search';
const PASSWORD = 'correct horse battery staple';
/** Pause in which a person would read the results; with it, the measured searches do not slow down the sweep. */
const PAUSE_MS = 20;

export interface Reader {
  readonly accountId: string;
  /**
   * Searches sequentially for this many seconds, taking turns between the classes; returns the latencies in
   * milliseconds.
   */
  search(seconds: number): Promise<SearchTimes>;
}

export interface SearchTimes {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
}

/** Registers a person with a separate account. */
export async function registerReader(apiUrl: string): Promise<Reader> {
  const api = createApi(apiUrl);
  const body = { username: 'bench-reader', password: PASSWORD };
  await api.call('POST', '/api/v1/auth/register', { body: { ...body, email: 'reader@bench.test' } });
  const token = await api.call('POST', '/api/v1/auth/token/json', { body });
  const own = api.withToken(String(token.body.access_token));
  const me = await own.call('GET', '/api/v1/users/me');
  return {
    accountId: String(me.body.account_id),
    async search(seconds) {
      const classes = listQueryClasses(1);
      const times: number[] = [];
      const end = performance.now() + seconds * 1000;
      for (let index = 0; performance.now() < end; index += 1) {
        const query = classes[index % classes.length]?.next();
        const startedAt = performance.now();
        const { status } = await own.call('POST', SEARCH, { body: query });
        times.push(performance.now() - startedAt);
        if (status !== 200) throw new Error(`a search resulted in ${status}`);
        await delay(PAUSE_MS);
      }
      return { count: times.length, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
    },
  };
}
