import { queryOptions } from '@tanstack/react-query';
import type { BudgetPage, UsageGroup, UsageSummary } from '../api/answers.ts';
import { read } from '../api/request.ts';
import { pagesOf } from './pages-of.ts';
import { accountKey } from './query-client.ts';

export const BUDGETS_PATH = '/api/v1/budgets';

export const budgetsKey = (): readonly unknown[] => accountKey('budgets');

export const budgetsQuery = pagesOf<BudgetPage>(budgetsKey, BUDGETS_PATH);

export interface UsageQuestion {
  readonly groupBy: UsageGroup;
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** Query of the usage, by default of the last thirty days. */
export const usageQuery = ({ groupBy, since, until }: UsageQuestion) =>
  queryOptions({
    queryKey: accountKey('usage', groupBy, since, until),
    queryFn: read<UsageSummary>('/api/v1/usage/summary', { group_by: groupBy, since, until }),
  });
