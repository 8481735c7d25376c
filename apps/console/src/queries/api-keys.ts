import { queryOptions } from '@tanstack/react-query';
import type { ApiKeyPage } from '../api/answers.ts';
import { request } from '../api/request.ts';
import { accountKey } from './query-client.ts';

export const API_KEYS_PATH = '/api/v1/auth/api-keys';

export const apiKeysKey = (): readonly unknown[] => accountKey('api-keys');

export const apiKeysQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...apiKeysKey(), cursor],
    queryFn: ({ signal }) => request<ApiKeyPage>('GET', API_KEYS_PATH, { query: { cursor }, signal }),
  });
