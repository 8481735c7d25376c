import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Series, SeriesMeasure } from '../../api/answers.ts';
import { useSession } from '../../auth/session.ts';
import { seriesQuery } from '../../queries/stats.ts';
import { Options } from '../../ui/options.tsx';
import { FilterForm } from '../../ui/filters.tsx';
import { Page } from '../../ui/page.tsx';
import { formatMeasure } from './format-measure.ts';
import { GroupLink } from './group-links.tsx';
import { describeChange, listStretches, RANGES, readRange, type Stretch } from './ranges.ts';
import {
  CHARTS,
  GROUP_WORDS,
  isChart,
  listCharts,
  MEASURE_WORDS,
  readSeriesName,
  type ChartName,
  type ChartOf,
} from './series-catalogue.ts';
import { SeriesFigure } from './series-figure.tsx';
import styles from './stats.module.css';
import { useGroupNames } from './use-group-names.ts';

const route = getRouteApi('/inside/charts');

/** One series in detail, split by a grouping; if there is a list of the rows of a group, the group links to it. */
export function ChartsScreen() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const offered = listCharts(session.kind === 'signed-in' ? session.user.permissions : []);
  const of = isChart(params.of) && offered.includes(params.of) ? params.of : offered[0];
  const range = readRange(params.range);
  const { current, before } = useMemo(() => listStretches(range, new Date()), [range]);
  if (of === undefined)
    return (
      <Page title="Charts">
        <p>
          Charts show sessions, calls, spend, approvals, deliveries, executions and the search corpus. Your role does
          not have the permission to see any of them.
        </p>
      </Page>
    );
  const groups: readonly string[] = CHARTS[of].groups;
  const by = params.by !== undefined && groups.includes(params.by) ? params.by : groups[0];
  return (
    <Page title="Charts" actions={<Link to="/overview">Overview</Link>}>
      <FilterForm
        keys={['of', 'by', 'range']}
        params={{ of, by, range }}
        action="Show"
        onFilter={(search) => void navigate({ search })}
      >
        <label>
          Chart of
          <select name="of" defaultValue={of}>
            <Options of={Object.fromEntries(offered.map((name) => [name, CHARTS[name].title]))} />
          </select>
        </label>
        <label>
          Group by
          <select name="by" defaultValue={by}>
            <Options of={Object.fromEntries(groups.map((name) => [name, GROUP_WORDS[name] ?? name]))} />
          </select>
        </label>
        <label>
          Time
          <select name="range" defaultValue={range}>
            <Options of={RANGES} />
          </select>
        </label>
      </FilterForm>
      <SeriesFigure of={of} by={by} stretch={current}>
        {(series) => <Groups of={of} series={series} stretch={current} before={before} />}
      </SeriesFigure>
    </Page>
  );
}

interface GroupsProps {
  readonly of: ChartName;
  readonly series: Series;
  readonly stretch: Stretch;
  /** The period of the same length that ends where `stretch` begins. */
  readonly before: Stretch;
}

/** Maximum number of groups that the service returns. */
const MOST_GROUPS = 50;

/** The groups as bars, the longest first, compared with the previous period. */
function Groups({ of, series, stretch, before }: GroupsProps) {
  const { measure }: ChartOf = CHARTS[of];
  const by = series.group_by ?? '';
  const asked = useQuery(seriesQuery({ name: readSeriesName(of), groupBy: by, limit: MOST_GROUPS, ...before }));
  const former = asked.isPlaceholderData ? undefined : asked.data;
  const nameOf = useGroupNames(by);
  const most = Math.max(...series.groups.map(({ sums }) => sums[measure] ?? 0), Number.MIN_VALUE);
  if (series.groups.length === 0) return null;
  return (
    <ul className={styles['groups']} aria-label={`${GROUP_WORDS[by] ?? by}, most first`}>
      {series.groups.map(({ key, sums }) => (
        <li key={key ?? ''}>
          <span className={styles['group']}>
            <GroupLink of={of} by={by} groupKey={key} stretch={stretch}>
              {nameOf(key)}
            </GroupLink>
            <strong>{formatMeasure(measure, sums[measure])}</strong>
          </span>
          <progress className={styles['bar']} max={most} value={sums[measure] ?? 0} aria-hidden="true" />
          <span className={styles['fine']}>
            {[describeFormer(former, key, measure, sums), describeOthers(sums, measure)]
              .filter((each) => each !== undefined && each !== '')
              .join(', ')}
          </span>
        </li>
      ))}
    </ul>
  );
}

type Sums = Readonly<Partial<Record<SeriesMeasure, number | null>>>;

/**
 * Describes how the value of a group has changed since the previous period; undefined if the previous value is not
 * known, or not loaded yet.
 */
function describeFormer(
  former: Series | undefined,
  key: string | null,
  measure: SeriesMeasure,
  sums: Sums,
): string | undefined {
  if (former === undefined) return undefined;
  const group = former.groups.find((each) => each.key === key);
  // If the list of the previous period is incomplete, a group that is missing from the list may still have had a value.
  if (group === undefined && former.truncated) return undefined;
  const change = describeChange(sums[measure] ?? 0, group?.sums[measure] ?? 0);
  return change === undefined ? 'none before' : `${change} from the previous period`;
}

/** Returns the values of the measures that the bar does not show. */
function describeOthers(sums: Sums, shown: SeriesMeasure): string {
  return (Object.keys(sums) as SeriesMeasure[])
    .filter((measure) => measure !== shown && sums[measure] !== undefined && sums[measure] !== null)
    .map((measure) => `${MEASURE_WORDS[measure].toLowerCase()} ${formatMeasure(measure, sums[measure])}`)
    .join(', ');
}
