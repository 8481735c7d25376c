import { queryOptions } from '@tanstack/react-query';
import type { EmbeddingChange, EmbeddingSetting } from '../api/answers.ts';
import { request } from '../api/request.ts';
import { accountKey, queryClient } from './query-client.ts';

const PATH = '/api/v1/runtime-sessions/settings/embedding';

export const embeddingQuery = () =>
  queryOptions({
    queryKey: accountKey('embedding'),
    queryFn: ({ signal }) => request<EmbeddingSetting>('GET', PATH, { signal }),
  });

/** @throws ApiError, 422 with the field that is not as it has to be; then nothing is saved */
export async function saveEmbedding(change: EmbeddingChange): Promise<void> {
  const saved = await request<EmbeddingSetting>('PUT', PATH, { body: change });
  queryClient.setQueryData(embeddingQuery().queryKey, saved);
}
