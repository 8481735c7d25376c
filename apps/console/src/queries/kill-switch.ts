import { queryOptions } from '@tanstack/react-query';
import type { KillSwitch, KillSwitchResult } from '../api/answers.ts';
import { read, request } from '../api/request.ts';
import { accountKey } from './query-client.ts';

const PATH = '/api/v1/account/kill-switch';

export const killSwitchQuery = () =>
  queryOptions({
    queryKey: accountKey('kill-switch'),
    queryFn: read<KillSwitch>(PATH),
  });

export function throwKillSwitch(engaged: boolean, reason = ''): Promise<KillSwitchResult> {
  return request<KillSwitchResult>('PUT', PATH, { body: { engaged, ...(reason === '' ? {} : { reason }) } });
}
