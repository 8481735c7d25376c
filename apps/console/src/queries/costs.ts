import { queryOptions } from '@tanstack/react-query';
import type { BudgetPage, UsageGroup, UsageSummary } from '../api/answers.ts';
import { request } from '../api/request.ts';
import { accountKey } from './query-client.ts';

export const BUDGETS_PATH = '/api/v1/budgets';

export const budgetsKey = (): readonly unknown[] => accountKey('budgets');

export const budgetsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...budgetsKey(), cursor],
    queryFn: ({ signal }) => request<BudgetPage>('GET', BUDGETS_PATH, { query: { cursor }, signal }),
  });

export interface UsageQuestion {
  readonly groupBy: UsageGroup;
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** The last thirty days unless said otherwise. */
export const usageQuery = ({ groupBy, since, until }: UsageQuestion) =>
  queryOptions({
    queryKey: accountKey('usage', groupBy, since, until),
    queryFn: ({ signal }) =>
      request<UsageSummary>('GET', '/api/v1/usage/summary', { query: { group_by: groupBy, since, until }, signal }),
  });
