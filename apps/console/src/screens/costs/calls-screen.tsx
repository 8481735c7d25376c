import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { UsageCall } from '../../api/answers.ts';
import { CALL_KEYS, callsQuery } from '../../queries/stats.ts';
import { useNames } from '../../queries/use-names.ts';
import { ChoiceFilter } from '../../ui/choice-filter.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilterForm } from '../../ui/filters.tsx';
import { formatUsd } from '../../ui/format-usd.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { isFiltered, NoneMatch } from '../../ui/none-match.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';

const route = getRouteApi('/inside/usage/calls');

const count = new Intl.NumberFormat('en');
const showCount = (tokens: number | null) => (tokens === null ? '' : count.format(tokens));
const RESULTS = { ok: 'Answered', error: 'Failed', aborted: 'Aborted', refused: 'Refused' } as const;

const COLUMNS: readonly Column<UsageCall>[] = [
  { name: 'When', show: ({ occurred_at: at }) => <TimeAgo at={at} /> },
  { name: 'Model', show: ({ model_alias: alias }) => alias ?? '' },
  { name: 'Result', show: ({ status, error_class: why }) => `${RESULTS[status]}${why === null ? '' : `: ${why}`}` },
  { name: 'Tokens in', show: ({ input_tokens: tokens }) => showCount(tokens) },
  { name: 'Tokens out', show: ({ output_tokens: tokens }) => showCount(tokens) },
  { name: 'Cost', show: ({ cost_usd: cost }) => (cost === null ? 'unknown' : formatUsd(cost)) },
  {
    name: 'Session',
    show: ({ runtime_session_id: id }) =>
      id === null ? (
        ''
      ) : (
        <Link to="/sessions/$sessionId" params={{ sessionId: id }}>
          Open session
        </Link>
      ),
  },
];

/** The model calls, which can be filtered, for example to those behind a bar of a chart. */
export function CallsScreen() {
  const params = route.useSearch();
  const agents = Object.fromEntries(useNames('agent'));
  const keys = Object.fromEntries(useNames('key'));
  const navigate = route.useNavigate();
  const query = useQuery({ ...callsQuery(params), placeholderData: keepPreviousData });
  return (
    <ListPage
      name="Model calls"
      what="model calls"
      actions={
        <Link to="/charts" search={{ of: 'spend' }}>
          Spend as a chart
        </Link>
      }
      columns={COLUMNS}
      query={query}
      empty={
        isFiltered(params) ? (
          <NoneMatch what="model calls" />
        ) : (
          <>
            No model has been called yet. <Link to="/models">Add a model</Link>, and point an agent at the model
            gateway.
          </>
        )
      }
    >
      <FilterForm
        keys={CALL_KEYS}
        params={params}
        onFilter={({ model, agent, key, result }) =>
          void navigate({ search: { ...params, model, agent, key, result, cursor: undefined } })
        }
      >
        <label>
          Model
          <input name="model" defaultValue={params.model} />
        </label>
        <ChoiceFilter label="Agent" name="agent" chosen={params.agent} options={agents} />
        <ChoiceFilter label="API key" name="key" chosen={params.key} options={keys} />
        <ChoiceFilter label="Result" name="result" chosen={params.result} options={RESULTS} />
      </FilterForm>
    </ListPage>
  );
}
