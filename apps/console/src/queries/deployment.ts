import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Deployment, DeploymentHealth } from '../api/answers.ts';
import { read } from '../api/request.ts';
import { send } from '../api/send.ts';
import { useRefusal } from '../auth/use-permission.ts';
import { accountKey } from './query-client.ts';

const PATH = '/api/v1/deployment';
/** The accounts that operate the deployment change only with a restart, or when the second account is created. */
const OPERATED_MS = 5 * 60_000;
/** The service caches the health of the deployment for ten seconds. */
const HEALTH_MS = 15_000;

/** Query of public facts about the deployment. */
export const deploymentQuery = () =>
  queryOptions({
    queryKey: ['nobody', 'deployment'],
    queryFn: ({ signal }) => send<Deployment>('GET', PATH, { signal }),
  });

/**
 * Returns whether the user may read the health of the deployment. The request is sent only if the user has the required
 * permission.
 */
export function useIsOperator(): boolean {
  const refusal = useRefusal('manage_users');
  const { data } = useQuery({
    queryKey: accountKey('deployment'),
    queryFn: read<Deployment>(PATH),
    enabled: refusal === undefined,
    staleTime: OPERATED_MS,
  });
  return refusal === undefined && data?.operated_by_account === true;
}

export const healthQuery = () =>
  queryOptions({
    queryKey: accountKey('health'),
    queryFn: read<DeploymentHealth>(`${PATH}/health`),
    staleTime: HEALTH_MS,
    refetchInterval: HEALTH_MS,
  });
