import { queryOptions } from '@tanstack/react-query';
import type { Overview } from '../api/answers.ts';
import { read } from '../api/request.ts';
import { accountKey } from './query-client.ts';

/** So often while the page is seen; nothing is asked while it is hidden. */
const LOOK_MS = 5000;

/** What waits for somebody, told beside the names of its screens. */
export const overviewQuery = () =>
  queryOptions({
    queryKey: accountKey('overview'),
    queryFn: read<Overview>('/api/v1/overview'),
    refetchInterval: LOOK_MS,
    staleTime: LOOK_MS,
  });
