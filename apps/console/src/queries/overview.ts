import { queryOptions } from '@tanstack/react-query';
import type { Overview } from '../api/answers.ts';
import { read } from '../api/request.ts';
import { accountKey } from './query-client.ts';

/** Refresh interval while the page is visible; nothing is requested while it is hidden. */
const LOOK_MS = 5000;

/** Query of the counts that are shown next to the names of screens, and of whether all agents are stopped. */
export const overviewQuery = () =>
  queryOptions({
    queryKey: accountKey('overview'),
    queryFn: read<Overview>('/api/v1/overview'),
    refetchInterval: LOOK_MS,
    staleTime: LOOK_MS,
  });
