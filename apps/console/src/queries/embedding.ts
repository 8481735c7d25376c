import { queryOptions } from '@tanstack/react-query';
import type { EmbeddingChange, EmbeddingSetting } from '../api/answers.ts';
import { read, request } from '../api/request.ts';
import { accountKey, queryClient } from './query-client.ts';

const PATH = '/api/v1/runtime-sessions/settings/embedding';

export const embeddingQuery = () =>
  queryOptions({
    queryKey: accountKey('embedding'),
    queryFn: read<EmbeddingSetting>(PATH),
  });

/** Saves the setting. @throws ApiError, 422 with the invalid field, in which case nothing is saved */
export async function saveEmbedding(change: EmbeddingChange): Promise<void> {
  const saved = await request<EmbeddingSetting>('PUT', PATH, { body: change });
  queryClient.setQueryData(embeddingQuery().queryKey, saved);
}
