import { QueryClient } from '@tanstack/react-query';
import { toApiError } from '../api/api-error.ts';
import { readSession } from '../auth/session.ts';

const TRIES = 2;

/** Client for all queries. Reads are retried after server errors other than 503; changes are never retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      retry: (failures, error) => {
        const { status } = toApiError(error);
        return failures < TRIES && status >= 500 && status !== 503;
      },
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Returns a query key that begins with the account and the user, so that one user never finds the data of another. */
export function accountKey(...rest: readonly unknown[]): readonly unknown[] {
  const session = readSession();
  return [session.kind === 'signed-in' ? session.user.account_id + session.user.id : 'nobody', ...rest];
}
