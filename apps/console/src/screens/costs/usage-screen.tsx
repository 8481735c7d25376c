import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { UsageGroup, UsageSums, UsageSummary } from '../../api/answers.ts';
import { usageQuery } from '../../queries/costs.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { FilterForm } from '../../ui/filters.tsx';
import { formatUsd } from '../../ui/format-usd.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Options } from '../../ui/options.tsx';
import { Page } from '../../ui/page.tsx';
import { Bars } from './bars.tsx';
import styles from './costs.module.css';

const route = getRouteApi('/inside/usage');

const GROUPS: Readonly<Record<UsageGroup, string>> = {
  day: 'Day',
  model: 'Model',
  agent: 'Agent',
  api_key: 'API key',
  flow: 'Flow',
  session: 'Session',
};
const count = new Intl.NumberFormat('en');

const listColumns = (groupBy: UsageGroup): readonly Column<UsageSums>[] => [
  { name: GROUPS[groupBy], show: ({ key }) => key ?? 'none' },
  { name: 'Calls', show: ({ calls }) => count.format(calls) },
  { name: 'Refused', show: ({ refused_calls: calls }) => count.format(calls) },
  { name: 'Tokens in', show: ({ input_tokens: tokens }) => count.format(tokens) },
  { name: 'Tokens out', show: ({ output_tokens: tokens }) => count.format(tokens) },
  { name: 'Cost', show: ({ cost_usd: cost }) => formatUsd(cost) },
];

const isGroup = (text: string | undefined): text is UsageGroup => text !== undefined && text in GROUPS;

export function UsageScreen() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const groupBy = isGroup(params.by) ? params.by : 'day';
  const query = useQuery({
    ...usageQuery({ groupBy, since: toStart(params.from), until: toStart(params.to) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Usage">
      <FilterForm
        keys={['by', 'from', 'to']}
        params={params}
        action="Show"
        onFilter={(search) => void navigate({ search })}
      >
        <label>
          Group by
          <select name="by" defaultValue={groupBy}>
            <Options of={GROUPS} />
          </select>
        </label>
        <label>
          From (UTC)
          <input type="date" name="from" defaultValue={params.from} />
        </label>
        <label>
          Before (UTC)
          <input type="date" name="to" defaultValue={params.to} />
        </label>
      </FilterForm>
      <Loaded what="the usage" query={query}>
        {(summary) => <Summary summary={summary} isOld={query.isPlaceholderData} />}
      </Loaded>
    </Page>
  );
}

function Summary({ summary, isOld }: { readonly summary: UsageSummary; readonly isOld: boolean }) {
  const { items, total, group_by: groupBy, truncated: isCut } = summary;
  if (items.length === 0) return <p>There were no model calls in this time range.</p>;
  const bars = items.map(({ key, cost_usd: cost }) => ({ name: key ?? 'none', value: cost, label: formatUsd(cost) }));
  return (
    <>
      <p className={styles['total']}>
        {formatUsd(total.cost_usd)} for {count.format(total.calls)} {total.calls === 1 ? 'call' : 'calls'}
        {total.unpriced_calls > 0 &&
          `; the cost excludes ${count.format(total.unpriced_calls)} ${total.unpriced_calls === 1 ? 'call' : 'calls'} whose price is unknown`}
        .
        {isCut &&
          (groupBy === 'day'
            ? ' Only the earliest days are listed.'
            : ' Only the groups with the highest cost are listed.')}
      </p>
      <Bars name={`Cost by ${GROUPS[groupBy].toLowerCase()}`} bars={bars} />
      <DataTable
        name="Usage"
        columns={listColumns(groupBy)}
        rows={items}
        keyOf={({ key }) => key ?? ''}
        isOld={isOld}
      />
    </>
  );
}

/**
 * Returns the start of a day in UTC, because usage is grouped by UTC days; undefined for a day that is missing or not
 * in the form `2026-11-22`.
 */
function toStart(day: string | undefined): string | undefined {
  return day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T00:00:00Z` : undefined;
}
