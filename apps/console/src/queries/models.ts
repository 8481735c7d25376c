import { queryOptions } from '@tanstack/react-query';
import type { ModelPage } from '../api/answers.ts';
import { request } from '../api/request.ts';
import { accountKey } from './query-client.ts';

export const MODELS_PATH = '/api/v1/ai-models';

export const modelsKey = (): readonly unknown[] => accountKey('ai-models');

export const modelsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...modelsKey(), cursor],
    queryFn: ({ signal }) => request<ModelPage>('GET', MODELS_PATH, { query: { cursor }, signal }),
  });
