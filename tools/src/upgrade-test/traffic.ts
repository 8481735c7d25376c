import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Ledger } from '../chaos/webhooks/ledger.ts';
import type { Tally } from './tally.ts';

export interface TrafficDeps {
  readonly rate: number;
  readonly token: string;
  /** Path of the flow's webhook, including its secret. */
  readonly hookPath: string;
  readonly listOrigins: () => readonly string[];
  readonly tally: Tally;
  readonly ledger: Ledger;
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/**
 * Maximum number of triggers per second. Each run starts a program; with more runs the result would depend on the
 * machine.
 */
const MOST_TRIGGERS_PER_SECOND = 2;
const MAX_RUNNING = 1000;
const MAX_REPEATS = 5;
const TICK_MS = 20;
const TIMEOUT_MS = 30_000;
/** Number of newest sessions to which a search may refer. */
const KEPT_WORDS = 500;

/**
 * Sends requests at a constant rate, however long their responses take, until it is stopped; then waits for the
 * requests that are still pending.
 */
export function startTraffic(deps: TrafficDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const done = send(deps, stopping.signal);
  done.catch(() => undefined);
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

async function send(deps: TrafficDeps, stopping: AbortSignal): Promise<void> {
  const { rate, tally } = deps;
  const running = new Set<Promise<void>>();
  const operations = createOperations(deps);
  const startedAt = performance.now();
  let sent = 0;
  let triggers = 0;
  while (!stopping.aborted) {
    const seconds = (performance.now() - startedAt) / 1000;
    for (; sent < seconds * rate; sent += 1) {
      if (running.size >= MAX_RUNNING) {
        tally.countSkipped();
        continue;
      }
      const isTrigger = triggers < Math.min(rate / 20, MOST_TRIGGERS_PER_SECOND) * seconds;
      if (isTrigger) triggers += 1;
      const [name, operate] = isTrigger ? operations.trigger : operations.pick(sent);
      const one = operate()
        .catch((error: unknown) => tally.fail(name, error instanceof Error ? describe(error) : String(error)))
        .finally(() => running.delete(one));
      running.add(one);
    }
    await delay(TICK_MS);
  }
  await Promise.all(running);
}

function describe(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

type Operation = readonly [name: string, operate: () => Promise<void>];

function createOperations(deps: TrafficDeps) {
  const { ledger, tally, hookPath } = deps;
  const words: { readonly word: string; readonly id: string }[] = [];
  const call = createCall(deps);

  async function write(): Promise<void> {
    const word = `w${randomUUID().replaceAll('-', '')}`;
    const session = { session_source_type: 'upgrade', session_source_id: word, title: `Deploy ${word}` };
    const { body } = await call('POST', '/api/v1/runtime-sessions', session, [200, 201]);
    const id = String(body['id']);
    words.push({ word, id });
    if (words.length > KEPT_WORDS) words.shift();
    await call('POST', `/api/v1/runtime-sessions/${id}/end`, {}, [200]);
    ledger.recordEmitted(id);
  }

  async function search(): Promise<void> {
    const wanted = words[Math.floor(Math.random() * words.length)];
    if (wanted === undefined) return read();
    const { body } = await call('POST', '/api/v1/runtime-sessions/search', { query: wanted.word }, [200]);
    const found = (body['results'] as { readonly runtime_session_id: string }[]).map((one) => one.runtime_session_id);
    if (found.length !== 1 || found[0] !== wanted.id) tally.countWrongSearch(`${wanted.word} found ${found.length}`);
  }

  async function read(): Promise<void> {
    await call('GET', '/api/v1/runtime-sessions?limit=10', undefined, [200]);
  }

  async function trigger(): Promise<void> {
    const { body } = await call('POST', hookPath, { note: 'upgrade' }, [202], { 'idempotency-key': randomUUID() });
    ledger.recordEmitted(String(body['execution_id']));
  }

  const mixed: readonly Operation[] = [
    ['write a session', write],
    ['search', search],
    ['list', read],
    ['search', search],
    ['write a session', write],
    ['list', read],
    ['search', search],
  ];
  return {
    trigger: ['trigger', trigger] as Operation,
    pick: (index: number): Operation => mixed[index % mixed.length] as Operation,
  };
}

/**
 * Creates a function that sends one request, repeated only according to the documented rule: after a 429 or 503 and its
 * `Retry-After`, at any gateway that is ready. A connection that breaks counts as a failure.
 */
function createCall({ token, listOrigins, tally }: TrafficDeps) {
  return async (
    method: string,
    path: string,
    body: object | undefined,
    expected: readonly number[],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const startedAt = performance.now();
    for (let repeats = 0; ; repeats += 1) {
      const origins = listOrigins();
      const origin = origins[Math.floor(Math.random() * origins.length)];
      if (origin === undefined) throw new Error('no gateway is ready');
      const response = await fetch(origin + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      if ((response.status === 503 || response.status === 429) && repeats < MAX_REPEATS) {
        await delay(Number(response.headers.get('retry-after') ?? 1) * 1000);
        continue;
      }
      if (!expected.includes(response.status)) throw new Error(`status ${response.status}: ${text.slice(0, 200)}`);
      tally.count(performance.now() - startedAt, repeats);
      return { status: response.status, body: JSON.parse(text) as Record<string, unknown> };
    }
  };
}
