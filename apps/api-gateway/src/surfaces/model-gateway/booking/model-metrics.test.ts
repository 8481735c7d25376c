import type { UsageRow } from '@steward/models';
import { createMetrics } from '@steward/process';
import { createModelMetrics } from './model-metrics.ts';

const ROW = {
  provider: 'openai',
  endpoint: 'chat/completions',
  status: 'ok',
  inputTokens: 100,
  cachedInputTokens: 40,
  outputTokens: 7,
  costUsd: '0.0125',
  durationMs: 1500,
  firstByteMs: 200,
  errorClass: null,
} as UsageRow;

async function render(rows: readonly Partial<UsageRow>[]): Promise<string> {
  const metrics = createMetrics('api-gateway');
  const count = createModelMetrics(metrics);
  for (const row of rows) count({ ...ROW, ...row });
  return (await metrics.render()).replace(/(,?)service="api-gateway"(,?)/g, (_all, before, after) => before && after);
}

describe('metrics of model calls', () => {
  it('count calls, tokens by kind without double counting, and costs', async () => {
    const text = await render([{}, {}]);
    for (const line of [
      'steward_model_calls_total{endpoint="chat/completions",provider="openai",status="ok",error_class="none"} 2',
      'steward_model_tokens_total{provider="openai",kind="input"} 120',
      'steward_model_tokens_total{provider="openai",kind="cached_input"} 80',
      'steward_model_tokens_total{provider="openai",kind="output"} 14',
      'steward_model_cost_usd_total{provider="openai"} 0.025',
      'steward_model_calls_unpriced_total{} 0',
      'steward_model_call_first_byte_seconds_count{endpoint="chat/completions"} 2',
      'steward_model_call_duration_seconds_sum{endpoint="chat/completions",status="ok"} 3',
    ])
      expect(text.split('\n')).toContain(line);
  });

  it('count separately calls of unknown price and refused calls without a provider', async () => {
    const refused = { provider: null, status: 'refused', errorClass: 'model_not_found', firstByteMs: null } as const;
    const text = await render([{ costUsd: null }, { ...refused, costUsd: '0' }]);
    expect(text).toContain('steward_model_calls_unpriced_total{} 1');
    expect(text).toContain('provider="none",status="refused",error_class="model_not_found"} 1');
    expect(text).toContain('steward_model_call_first_byte_seconds_count{endpoint="chat/completions"} 1');
  });

  it('combine all refusals by one kind of provider into one series', async () => {
    const text = await render(
      Array.from({ length: 100 }, (_, at) => ({ status: 'error', errorClass: `provider_${400 + at}` })),
    );
    expect(text.match(/^steward_model_calls_total\{.*$/gm)).toHaveLength(1);
    expect(text).toContain('error_class="provider_4xx"} 100');
  });
});
