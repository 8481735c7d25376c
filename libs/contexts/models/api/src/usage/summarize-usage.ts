import type { Clock } from '@steward/async';
import { AppError } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { summarizeUsage, type UsageSums } from '@steward/models';
import { readUsageFilter } from './read-usage-filter.ts';
import { SummaryAnswer, SummaryQuery } from './usage-schemas.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/**
 * Maximum number of days of a period (a leap year); the limit is necessary because the sums are computed row by row.
 */
const MAX_DAYS = 366;
const MAX_GROUPS = 1000;
/** Time limit of the query; summing a year with a million calls takes about three seconds. */
const TIMEOUT_MS = 20_000;

export function createSummarizeUsageRoute({ db, clock }: { readonly db: AnyDatabase; readonly clock: Clock }): Route {
  return defineRoute({
    operationId: 'summarizeUsage',
    method: 'get',
    path: '/api/v1/usage/summary',
    permissions: ['view_cost'],
    summary: 'Summarize model calls, tokens and costs of a time range; default: the last 30 days.',
    query: SummaryQuery,
    responses: {
      200: {
        description: 'The totals of each group, and of all groups together.',
        name: 'UsageSummary',
        schema: SummaryAnswer,
      },
    },
    handler: async ({ query, principal: { accountId } }) => {
      const filter = await readUsageFilter(db, query, accountId);
      const until = filter.until ?? clock.now();
      const since = filter.since ?? new Date(until.getTime() - DEFAULT_DAYS * DAY_MS);
      requireStretch(since, until);
      const groupBy = query.group_by;
      const summary = await summarizeUsage(db, {
        ...filter,
        since,
        until,
        groupBy,
        limit: MAX_GROUPS,
        timeoutMs: TIMEOUT_MS,
      });
      return {
        status: 200,
        body: {
          group_by: groupBy,
          since,
          until,
          items: summary.groups.map(({ key, ...sums }) => ({ key, ...presentSums(sums) })),
          total: presentSums(summary.total),
          truncated: summary.isCut,
        },
      };
    },
  });
}

function requireStretch(since: Date, until: Date): void {
  if (until.getTime() - since.getTime() <= MAX_DAYS * DAY_MS) return;
  throw new AppError('invalid_request', {
    message: `"since" may be at most ${MAX_DAYS} days before "until".`,
    detail: { field: 'since', limit: MAX_DAYS },
  });
}

function presentSums(sums: UsageSums) {
  return {
    calls: sums.calls,
    refused_calls: sums.refusedCalls,
    unpriced_calls: sums.unpricedCalls,
    input_tokens: sums.inputTokens,
    cached_input_tokens: sums.cachedInputTokens,
    output_tokens: sums.outputTokens,
    cost_usd: Number(sums.costUsd),
  };
}
