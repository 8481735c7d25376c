import { queryOptions } from '@tanstack/react-query';
import type { Backtest, Policy, PolicyDiff, PolicyTrial, PolicyValidation, PolicyVersionPage } from '../api/answers.ts';
import { read, request } from '../api/request.ts';
import { accountKey } from './query-client.ts';

const PATH = '/api/v1/policies';
const LOOK_MS = 1000;

/**
 * Returns the common prefix of the query keys of policies: the policy in force and the list of versions change when a
 * version is applied.
 */
export const policiesKey = (): readonly unknown[] => accountKey('policies');

/**
 * Query of the policy in force. It is not refreshed at intervals or on focus, so that a version applied in the meantime
 * does not replace the text in the editor.
 */
export const policyQuery = () =>
  queryOptions({
    queryKey: [...policiesKey(), 'in-force'],
    queryFn: read<Policy>(PATH),
    refetchOnWindowFocus: false,
  });

export const versionsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...policiesKey(), 'versions', cursor],
    queryFn: read<PolicyVersionPage>(`${PATH}/versions`, { cursor }),
  });

export const versionQuery = (version: string) =>
  queryOptions({
    queryKey: [...policiesKey(), 'version', version],
    queryFn: read<Policy>(`${PATH}/versions/${encodeURIComponent(version)}`),
  });

export const validatePolicy = (yaml: string): Promise<PolicyValidation> =>
  request<PolicyValidation>('POST', `${PATH}/validate`, { yaml });

export const diffPolicy = (yaml: string): Promise<PolicyDiff> => request<PolicyDiff>('POST', `${PATH}/diff`, { yaml });

export const applyPolicy = (yaml: string, ifMatch: number, message: string): Promise<Policy> =>
  request<Policy>('POST', `${PATH}/apply`, { yaml, ifMatch, query: { message } });

export const rollBack = (version: number, ifMatch: number): Promise<Policy> =>
  request<Policy>('POST', `${PATH}/versions/${version}/rollback`, { body: {}, ifMatch });

export interface Trial {
  readonly tool_name: string;
  readonly server?: string;
  readonly arguments: unknown;
  readonly agent?: { readonly kind: string };
  readonly document?: string;
}

export const tryCall = (trial: Trial): Promise<PolicyTrial> =>
  request<PolicyTrial>('POST', `${PATH}/test`, { body: trial });

export const startBacktest = (document: string, since: Date): Promise<Backtest> =>
  request<Backtest>('POST', `${PATH}/backtest`, { body: { document, since: since.toISOString() } });

export const backtestQuery = (backtestId: string) =>
  queryOptions({
    queryKey: [...policiesKey(), 'backtest', backtestId],
    queryFn: read<Backtest>(`${PATH}/backtests/${backtestId}`),
    refetchInterval: ({ state }) => (state.data?.finished_at === null ? LOOK_MS : false),
  });
