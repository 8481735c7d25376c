import { queryOptions } from '@tanstack/react-query';
import type { Flow, FlowPage } from '../api/answers.ts';
import { request } from '../api/request.ts';
import { accountKey } from './query-client.ts';

const PATH = '/api/v1/flows';

export const flowPath = (flowId: string): string => `${PATH}/${encodeURIComponent(flowId)}`;

export const flowsKey = (): readonly unknown[] => accountKey('flows');

export const flowsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...flowsKey(), 'list', cursor],
    queryFn: ({ signal }) => request<FlowPage>('GET', PATH, { query: { cursor }, signal }),
  });

export const flowQuery = (flowId: string) =>
  queryOptions({
    queryKey: [...flowsKey(), 'one', flowId],
    queryFn: ({ signal }) => request<Flow>('GET', flowPath(flowId), { signal }),
  });
