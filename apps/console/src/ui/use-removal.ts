import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { request } from '../api/request.ts';

/**
 * Deletes the object that a screen shows. After the deletion, the screen is closed before the queries are refreshed, so
 * that the object is not read again.
 */
export function useRemoval(path: string, touches: () => QueryKey, leave: () => Promise<void>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>('DELETE', path),
    onSuccess: leave,
    onSettled: () => client.invalidateQueries({ queryKey: touches() }),
  });
}
