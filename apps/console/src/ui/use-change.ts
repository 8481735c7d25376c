import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { request } from '../api/request.ts';

/** Makes a change without retries; affected queries are refreshed. */
export function useChange<Given, Answer>(change: (given: Given) => Promise<Answer>, touches: () => QueryKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: touches() }),
  });
}

/** Deletes the object that a screen shows; the screen is closed first, so that the object is not read again. */
export function useRemoval(path: string, touches: () => QueryKey, leave: () => Promise<void>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>('DELETE', path),
    onSuccess: leave,
    onSettled: () => client.invalidateQueries({ queryKey: touches() }),
  });
}
