import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { toApiError } from '../../api/api-error.ts';
import { searchQuery, type SearchParams } from '../../queries/search.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { FirstSearches } from './first-searches.tsx';
import { FoundSessions } from './found-sessions.tsx';
import { SearchForm } from './search-form.tsx';

const route = getRouteApi('/inside/search');

export function SearchScreen() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isFetching, refetch } = useQuery({ ...searchQuery(params), placeholderData: keepPreviousData });
  const isAsked = params.q !== undefined;
  const refusal = error === null ? undefined : toApiError(error);
  const ofTheQuery = refusal?.status === 422 ? refusal.message : undefined;

  /** The same search once more is asked again; any other is another address. */
  function submit(next: SearchParams): void {
    if (isAsked && isSameSearch(next, params)) void refetch();
    else void navigate({ search: next });
  }

  return (
    <Page title="Search sessions">
      <SearchForm
        key={JSON.stringify(params)}
        params={params}
        error={ofTheQuery}
        isBusy={isFetching}
        onSubmit={submit}
      />
      {!isAsked && <FirstSearches />}
      {isAsked && refusal !== undefined && ofTheQuery === undefined && (
        <ErrorState error={refusal} onRetry={() => void refetch()} />
      )}
      {isAsked && data === undefined && error === null && <Loading what="sessions" />}
      {isAsked && data !== undefined && error === null && (
        <FoundSessions answer={data} params={params} isOld={isFetching} />
      )}
    </Page>
  );
}

function isSameSearch(left: SearchParams, right: SearchParams): boolean {
  const toText = (params: SearchParams): string => JSON.stringify(Object.entries(params).sort());
  return toText(left) === toText(right);
}
