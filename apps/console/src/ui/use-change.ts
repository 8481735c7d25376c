import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';

/** Makes a change without retries, and then refreshes the affected queries, even if the change failed. */
export function useChange<Given, Answer>(change: (given: Given) => Promise<Answer>, touches: () => QueryKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: touches() }),
  });
}
