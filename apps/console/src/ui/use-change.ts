import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { request } from '../api/request.ts';

/** A change that is asked for once; what may have changed with it is read anew. */
export function useChange<Given, Answer>(change: (given: Given) => Promise<Answer>, touches: () => QueryKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: touches() }),
  });
}

/** Takes away what a screen shows: the screen is left first, so that nothing asks for it again. */
export function useRemoval(path: string, touches: () => QueryKey, leave: () => Promise<void>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>('DELETE', path),
    onSuccess: leave,
    onSettled: () => client.invalidateQueries({ queryKey: touches() }),
  });
}
