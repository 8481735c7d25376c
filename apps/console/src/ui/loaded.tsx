import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { Loading } from './loading.tsx';

interface Props<Data> {
  readonly what: string;
  readonly query: { readonly data: Data | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly children: (data: Data) => ReactNode;
}

/**
 * The loaded data, or the reason why it is missing: still loading, or failed. Existing data remains visible during a
 * refresh.
 */
export function Loaded<Data>({ what, query, children }: Props<Data>) {
  return (
    <>
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined ? children(query.data) : query.error === null && <Loading what={what} />}
    </>
  );
}
