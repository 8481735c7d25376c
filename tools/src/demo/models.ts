import { setTimeout as delay } from 'node:timers/promises';
import { startFakeProvider, type FakeProvider } from '@steward/fake-provider';
import { FAKE_PROVIDER_ORIGIN } from '../stack/app-environment.ts';
import type { Api } from './api.ts';
import type { Steps } from './steps.ts';

const ANSWER = 'A ledger is a book in which a gateway records the cost of each model call.';
const TIMEOUT_MS = 15_000;

/**
 * Calls a model of a local provider through the gateway: the call is recorded and charged to a budget, and can be found
 * by its response.
 */
export async function demonstrateModels(api: Api, baseUrl: string, { run, expect }: Pick<Steps, 'run' | 'expect'>) {
  const provider = await startProvider();
  try {
    const isReached = await run('add a model, with a price and a hard budget', async () => {
      const prices = { input_per_mtok_usd: 3, output_per_mtok_usd: 15 };
      const model = {
        alias: 'demo',
        provider: 'openai',
        base_url: FAKE_PROVIDER_ORIGIN,
        model_identifier: 'fake-large',
        prices,
      };
      const made = await api.call('POST', '/api/v1/ai-models', { body: model });
      // A separate deployment may not be allowed to call this machine.
      if (made.status === 422) return false;
      expect(made.status === 201, `status 201, not ${made.status}: ${JSON.stringify(made.body)}`);
      const budget = { scope: 'account', period: 'daily', limit_amount: 1 };
      expect((await api.call('POST', '/api/v1/budgets', { body: budget })).status === 201, 'a budget');
      return true;
    });
    if (!isReached) return console.log('                omitted: this gateway may not call a provider on this machine');
    provider?.behave({ text: ANSWER });
    await run('call it through the gateway, as a stream', async () => {
      const body = { model: 'demo', stream: true, messages: [{ role: 'user', content: 'What is a ledger?' }] };
      const key = await api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'demo agent' } });
      const response = await fetch(`${baseUrl}/openai/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${String(key.body.key)}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      expect(response.status === 200, `status 200, not ${response.status}: ${text}`);
      expect(text.endsWith('data: [DONE]\n\n'), 'the whole stream');
    });
    await run('find the call by its response, and its cost', async () => {
      const found = await waitFor(async () => {
        const search = await api.call('POST', '/api/v1/runtime-sessions/search', { body: { query: 'ledger gateway' } });
        return (search.body.results as unknown[] | undefined)?.length === 1;
      });
      expect(found, 'one session with the words of the response');
      const usage = await api.call('GET', '/api/v1/usage');
      const [row] = (usage.body.items ?? []) as {
        status: string;
        cost_usd: number;
        runtime_session_id: string | null;
      }[];
      expect(
        row?.status === 'ok' && row.cost_usd > 0 && row.runtime_session_id !== null,
        `a usage row: ${JSON.stringify(row)}`,
      );
      const budgets = await api.call('GET', '/api/v1/budgets');
      const [budget] = (budgets.body.items ?? []) as { spent_amount: number }[];
      expect(budget?.spent_amount === row?.cost_usd, 'the spend of the budget is the same');
    });
  } finally {
    await provider?.close();
  }
}

/** Starts a model provider; returns undefined if one (`npm run fake-provider`) is already running. */
export async function startProvider(): Promise<FakeProvider | undefined> {
  return startFakeProvider({ port: Number(new URL(FAKE_PROVIDER_ORIGIN).port) }).catch(() => undefined);
}

async function waitFor(holds: () => Promise<boolean>): Promise<boolean> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await delay(200))
    if (await holds()) return true;
  return false;
}
