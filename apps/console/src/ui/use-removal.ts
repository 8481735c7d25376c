import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { request } from '../api/request.ts';

/** Deletes the object that a screen shows; the screen is closed first, so that the object is not read again. */
export function useRemoval(path: string, touches: () => QueryKey, leave: () => Promise<void>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>('DELETE', path),
    onSuccess: leave,
    onSettled: () => client.invalidateQueries({ queryKey: touches() }),
  });
}
