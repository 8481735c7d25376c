import { queryOptions } from '@tanstack/react-query';
import type { Deployment } from '../api/answers.ts';
import { send } from '../api/send.ts';

/** Query of public facts about the deployment. */
export const deploymentQuery = () =>
  queryOptions({
    queryKey: ['nobody', 'deployment'],
    queryFn: ({ signal }) => send<Deployment>('GET', '/api/v1/deployment', { signal }),
  });
