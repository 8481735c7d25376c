import { queryOptions } from '@tanstack/react-query';
import type { Execution, ExecutionPage } from '../api/answers.ts';
import { read } from '../api/request.ts';
import type { Texts } from '../search-text.ts';
import { accountKey } from './query-client.ts';

const PATH = '/api/v1/flows/executions';
const LIVE_MS = 2000;
const OVER: readonly Execution['status'][] = ['SUCCEEDED', 'FAILED', 'STOPPED'];

export const executionPath = (executionId: string): string => `${PATH}/${encodeURIComponent(executionId)}`;

export const executionsKey = (): readonly unknown[] => accountKey('executions');

export const isOver = ({ status }: Pick<Execution, 'status'>): boolean => OVER.includes(status);

export const EXECUTION_KEYS = ['flow', 'status', 'range', 'cursor'] as const;
export type ExecutionParams = Texts<(typeof EXECUTION_KEYS)[number]>;

export const executionsQuery = ({ flow, status, cursor }: ExecutionParams) =>
  queryOptions({
    queryKey: [...executionsKey(), 'list', { flow, status, cursor }],
    queryFn: read<ExecutionPage>(PATH, { flow_id: flow, status, cursor }),
    refetchInterval: ({ state }) => (state.data?.items.every(isOver) === false ? LIVE_MS : false),
  });

export const executionQuery = (executionId: string) =>
  queryOptions({
    queryKey: [...executionsKey(), 'one', executionId],
    queryFn: read<Execution>(executionPath(executionId)),
    refetchInterval: ({ state }) => (state.data !== undefined && !isOver(state.data) ? LIVE_MS : false),
  });
