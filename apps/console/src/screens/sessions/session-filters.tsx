import { pickTexts } from '../../search-text.ts';
import { SESSIONS_KEYS, type SessionsParams } from '../../queries/sessions.ts';
import { useNames } from '../../queries/use-names.ts';
import { ChoiceFilter } from '../../ui/choice-filter.tsx';
import { FilterForm } from '../../ui/filters.tsx';
import { toDay, toMoment } from '../search/days.ts';

interface Props {
  readonly params: SessionsParams;
  readonly onFilter: (params: SessionsParams) => void;
}

/** Filters by agent, day and label. The filter by flow, and the filter by state, which is set with tabs, are kept. */
export function SessionFilters({ params, onFilter }: Props) {
  const agents = Object.fromEntries(useNames('agent'));
  return (
    <FilterForm
      keys={SESSIONS_KEYS}
      params={params}
      onFilter={({ from, to, ...chosen }) =>
        onFilter({
          ...chosen,
          ...pickTexts(params, ['active', 'flow']),
          from: from === undefined ? undefined : toMoment(from),
          to: to === undefined ? undefined : toMoment(to),
        })
      }
    >
      <ChoiceFilter label="Agent" name="agent" chosen={params.agent} options={agents} />
      <label>
        Started from
        <input type="date" name="from" defaultValue={toDay(params.from)} />
      </label>
      <label>
        Before
        <input type="date" name="to" defaultValue={toDay(params.to)} />
      </label>
      <label>
        Label
        <input name="label" defaultValue={params.label} />
      </label>
    </FilterForm>
  );
}
