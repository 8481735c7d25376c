import { quantiles, query, rate, type Board } from '../board.ts';

const CALLS = 'steward_model_calls_total';

export const models: Board = {
  uid: 'steward-models',
  title: 'Steward: model gateway and costs',
  description: 'Model calls: their duration, tokens and cost.',
  rows: [
    {
      title: 'Calls',
      panels: [
        { title: 'Calls by outcome', unit: 'reqps', queries: [query(rate(CALLS, ['status']), '{{status}}')] },
        { title: 'Calls by path', unit: 'reqps', queries: [query(rate(CALLS, ['endpoint']), '{{endpoint}}')] },
        {
          title: 'Failures and refusals',
          unit: 'reqps',
          queries: [
            query(rate(`${CALLS}{error_class!="none"}`, ['provider', 'error_class']), '{{provider}} {{error_class}}'),
          ],
        },
        {
          title: 'Share of failures',
          unit: 'percentunit',
          description: 'Share of calls that ended with an error. The alert StewardModelCallsFail fires above 20 %.',
          queries: [query('steward:model_calls_failed:ratio_rate5m', 'failed')],
        },
        { title: 'Duration', unit: 's', queries: quantiles('steward_model_call_duration_seconds_bucket') },
        { title: 'First byte', unit: 's', queries: quantiles('steward_model_call_first_byte_seconds_bucket') },
      ],
    },
    {
      title: 'Money',
      panels: [
        {
          title: 'Cost in an hour',
          unit: 'currencyUSD',
          queries: [query('steward:model_cost_usd:increase1h', '{{provider}}')],
        },
        {
          title: 'Cost since yesterday',
          unit: 'currencyUSD',
          queries: [query('sum(increase(steward_model_cost_usd_total[1d]))', 'US dollars')],
        },
        { title: 'Tokens', unit: 'short', queries: [query(rate('steward_model_tokens_total', ['kind']), '{{kind}}')] },
        {
          title: 'Calls without a price',
          unit: 'short',
          description: 'They are not counted by any budget.',
          queries: [query('sum(increase(steward_model_calls_unpriced_total[1h]))', 'calls in an hour')],
        },
      ],
    },
  ],
};
