import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';

/** A change that is asked for once; what may have changed with it is read anew. */
export function useChange<Given, Answer>(change: (given: Given) => Promise<Answer>, touches: () => QueryKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: touches() }),
  });
}
