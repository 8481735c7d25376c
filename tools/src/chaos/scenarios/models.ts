import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, createOwner, expectSuccess, type Client } from '../client.ts';
import type { Place } from '../place/start-place.ts';
import { countSpending, type Spending } from './count-spending.ts';
import { startLoad, type RunningScenario, type Scenario } from './scenario.ts';

const WORKERS = 4;
const PAUSE_MS = 60;
/** Usage that the provider reports for each call; the output is also the maximum that a call requests. */
const USAGE = { input: 10, cachedInput: 0, output: 50 };
const PRICES = { input_per_mtok_usd: 10, output_per_mtok_usd: 20 };
/** In millionths of a dollar. */
const COST_MICRO = USAGE.input * PRICES.input_per_mtok_usd + USAGE.output * PRICES.output_per_mtok_usd;
/** Number of calls that the first limit allows and that each increase adds, so that the limit is always near. */
const STEP = 40;

/**
 * Calls a model, with and without streaming, under a hard budget whose limit is increased each time it is used up. The
 * provider counts the calls that it received and the responses that it sent.
 */
export const modelsScenario: Scenario = {
  name: 'model calls and budgets',
  apps: ['api-gateway'],
  async start(place) {
    const token = await createOwner(place.suite.url);
    const client = createClient(place.suite.url, token);
    const identifier = `chaos-${randomUUID()}`;
    const budget = await setUp(place, client, identifier);
    const tally = { answered: 0, refused: 0, failed: 0, broken: 0 };
    const load = startLoad(WORKERS, async (worker, { stopping }) => {
      const answer = await callModel(place.suite.url, token, worker % 2 === 0);
      tally[answer] += 1;
      if (answer === 'refused') await budget.raise(stopping);
      await delay(PAUSE_MS);
    });
    return { stop: () => load.stop(), ...countCalls({ place, client, identifier, budget, tally }) };
  },
};

interface Counted {
  readonly place: Place;
  readonly client: Client;
  readonly identifier: string;
  readonly budget: Awaited<ReturnType<typeof setUp>>;
  readonly tally: Readonly<Record<CallEnd, number>>;
}

function countCalls({ place, client, identifier, budget, tally }: Counted): Omit<RunningScenario, 'stop'> {
  const readSpending = async (): Promise<Spending> => {
    const asked = place.provider.requests.filter(({ body }) => body.includes(identifier));
    const { body } = await expectSuccess(client.call('GET', `/api/v1/budgets/${budget.id}`));
    const usage = await expectSuccess(client.call('GET', '/api/v1/usage/summary?group_by=model'));
    const { cost_usd: recorded } = usage.body['total'] as { readonly cost_usd: number };
    return {
      costMicro: COST_MICRO,
      asked: asked.length,
      answered: asked.filter(({ state }) => state === 'answered').length,
      limitMicro: budget.limitMicro(),
      spentMicro: toMicro(body['spent_amount']),
      heldMicro: toMicro(body['reserved_amount']),
      recordedMicro: toMicro(recorded),
    };
  };
  return {
    async count() {
      const { asked } = await readSpending();
      return {
        done: asked,
        broken: { 'wrong answers': tally.broken },
        noted: { answers: tally.answered, refusals: tally.refused, failures: tally.failed },
      };
    },
    async countLate() {
      const spending = await readSpending();
      return { done: spending.asked, broken: countSpending(spending) };
    },
  };
}

function toMicro(amount: unknown): number {
  return Math.round(Number(amount) * 1_000_000);
}

async function setUp(place: Place, client: Client, identifier: string) {
  place.provider.behave({ usage: USAGE, firstByteMs: 30, betweenEventsMs: 5 }, Number.MAX_SAFE_INTEGER);
  await expectSuccess(
    client.call('POST', '/api/v1/ai-models', {
      alias: 'large',
      provider: 'openai',
      base_url: place.provider.origin,
      model_identifier: identifier,
      prices: PRICES,
    }),
  );
  let limitMicro = STEP * COST_MICRO;
  const terms = () => ({ limit_amount: limitMicro / 1_000_000 });
  const made = await expectSuccess(
    client.call('POST', '/api/v1/budgets', { scope: 'account', period: 'all_time', ...terms() }),
  );
  const id = String(made.body['id']);
  let raising: Promise<unknown> | undefined;
  return {
    id,
    /** Returns the highest limit that the service may have received. */
    limitMicro: () => limitMicro,
    /** Workers that are refused at the same time increase the limit only once. */
    async raise(signal: AbortSignal): Promise<void> {
      if (raising === undefined) {
        limitMicro += STEP * COST_MICRO;
        raising = client
          .callUntilAnswered('PATCH', `/api/v1/budgets/${id}`, terms(), signal)
          .finally(() => (raising = undefined));
      }
      await raising;
    },
  };
}

/** `broken`: an unexplained response; an unavailable dependency results in 503 instead. */
type CallEnd = 'answered' | 'refused' | 'failed' | 'broken';

async function callModel(url: string, token: string, stream: boolean): Promise<CallEnd> {
  try {
    const response = await fetch(`${url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'large',
        stream,
        max_tokens: USAGE.output,
        messages: [{ role: 'user', content: 'What does a ledger of budgets have to count?' }],
      }),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    if (response.status === 200) return 'answered';
    if (response.status === 403 && text.includes('budget_exceeded')) return 'refused';
    // An outage results in 503, and a request that was not read in time in 408; this provider does not fail, so any
    // other error is unexplained.
    return [408, 503].includes(response.status) ? 'failed' : 'broken';
  } catch {
    return 'failed';
  }
}
