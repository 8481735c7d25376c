import { defineData } from './define-data.ts';
import { amount, choice, nullable, text } from './fields.ts';

/** Data of both budget events, which have the same shape (EVT-16). */
export const budgetThreshold = defineData({
  fields: {
    scope: choice(['account', 'flow', 'api_key', 'managed_agent'], 'Kind of subject that the budget limits.'),
    scope_id: nullable(text('Id of the flow, key or agent; null for the account.')),
    period: text('Period with its start, for example daily:2026-11-20.'),
    currency: text('Currency of the amounts.'),
    limit_amount: amount('The limit.'),
    spent_amount: amount('Amount spent in the period so far.'),
    percent_used: amount('Amount spent as a percentage of the limit, with two decimals.'),
    threshold_percent: amount(
      'The threshold that was reached, in percent of the limit; always 100 for budget.exceeded.',
    ),
  },
  example: {
    scope: 'flow',
    scope_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b16',
    period: 'daily:2026-11-20',
    currency: 'USD',
    limit_amount: 50,
    spent_amount: 40.12,
    percent_used: 80.24,
    threshold_percent: 80,
  },
});
