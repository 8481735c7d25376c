import { queryOptions } from '@tanstack/react-query';
import type { TitleSetting } from '../api/answers.ts';
import { read, request } from '../api/request.ts';
import { accountKey, queryClient } from './query-client.ts';

const PATH = '/api/v1/runtime-sessions/settings/titles';

export const titleSettingQuery = () =>
  queryOptions({ queryKey: accountKey('titles'), queryFn: read<TitleSetting>(PATH) });

/** Saves the model. @throws ApiError, 422 for a model that cannot be used */
export async function saveTitleModel(titleModel: string | null): Promise<void> {
  const saved = await request<TitleSetting>('PUT', PATH, { body: { title_model: titleModel } });
  queryClient.setQueryData(titleSettingQuery().queryKey, saved);
}
