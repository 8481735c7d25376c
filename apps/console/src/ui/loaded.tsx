import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { Loading } from './loading.tsx';

interface Props<Data> {
  readonly what: string;
  readonly query: { readonly data: Data | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly children: (data: Data) => ReactNode;
}

/** What was asked for, or why it is not here: still loading, or failed. What was there stays while it is asked for again. */
export function Loaded<Data>({ what, query, children }: Props<Data>) {
  return (
    <>
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined ? children(query.data) : query.error === null && <Loading what={what} />}
    </>
  );
}
