import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { Suspense } from 'react';
import { toApiError } from '../../api/api-error.ts';
import { searchQuery, type SearchParams } from '../../queries/search.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { Beside } from '../../ui/peek.tsx';
import { FirstSearches } from './first-searches.tsx';
import { FoundSessions } from './found-sessions.tsx';
import { SearchForm } from './search-form.tsx';

const route = getRouteApi('/inside/search');
/** Settings panel, which is loaded when it is opened. */
const EmbeddingPanel = lazyScreen(() => import('./embedding-panel.tsx'), 'EmbeddingPanel');

export function SearchScreen() {
  const { panel, ...params } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isFetching, refetch } = useQuery({ ...searchQuery(params), placeholderData: keepPreviousData });
  const isAsked = params.q !== undefined;
  const refusal = error === null ? undefined : toApiError(error);
  const ofTheQuery = refusal?.status === 422 ? refusal.message : undefined;

  /**
   * Repeats the search if it is unchanged; otherwise, writes the new search to the address, which starts the search.
   */
  function submit(next: SearchParams): void {
    if (isAsked && isSameSearch(next, params)) void refetch();
    else void navigate({ search: { ...next, panel } });
  }

  const isPanelOpen = panel === 'embedding';
  const showPanel = (isOpen: boolean): void =>
    void navigate({ search: { ...params, panel: isOpen ? 'embedding' : undefined }, resetScroll: false });

  return (
    <Page
      title="Search sessions"
      actions={
        <Button aria-expanded={isPanelOpen} onClick={() => showPanel(!isPanelOpen)}>
          Embedding settings
        </Button>
      }
    >
      <SearchForm
        key={JSON.stringify(params)}
        params={params}
        error={ofTheQuery}
        isBusy={isFetching}
        onSubmit={submit}
      />
      <Beside
        peek={
          isPanelOpen && (
            <Suspense fallback={<Loading what="the setting" />}>
              <EmbeddingPanel
                onClose={() => showPanel(false)}
                onSaved={() => {
                  if (isAsked) void refetch();
                }}
              />
            </Suspense>
          )
        }
      >
        {!isAsked && <FirstSearches />}
        {isAsked && refusal !== undefined && ofTheQuery === undefined && (
          <ErrorState error={refusal} onRetry={() => void refetch()} />
        )}
        {isAsked && data === undefined && error === null && <Loading what="sessions" />}
        {isAsked && data !== undefined && error === null && (
          <FoundSessions answer={data} params={params} isOld={isFetching} />
        )}
      </Beside>
    </Page>
  );
}

function isSameSearch(left: SearchParams, right: SearchParams): boolean {
  const toText = (params: SearchParams): string => JSON.stringify(Object.entries(params).sort());
  return toText(left) === toText(right);
}
