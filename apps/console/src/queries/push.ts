import { queryOptions } from '@tanstack/react-query';
import type { PushSubscriptionPage } from '../api/answers.ts';
import { read } from '../api/request.ts';
import { accountKey } from './query-client.ts';

export const SUBSCRIPTIONS_PATH = '/api/v1/users/me/push-subscriptions';

export const subscriptionsKey = (): readonly unknown[] => accountKey('push-subscriptions');

/** The signed-in user's browsers that get notices. */
export const subscriptionsQuery = () =>
  queryOptions({ queryKey: subscriptionsKey(), queryFn: read<PushSubscriptionPage>(SUBSCRIPTIONS_PATH) });
