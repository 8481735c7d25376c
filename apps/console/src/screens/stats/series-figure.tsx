import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState, type ReactNode } from 'react';
import type { Series, SeriesGroup, SeriesMeasure } from '../../api/answers.ts';
import { seriesQuery } from '../../queries/stats.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { formatMeasure } from './format-measure.ts';
import type { Stretch } from './ranges.ts';
import {
  CHARTS,
  GROUP_WORDS,
  MEASURE_WORDS,
  readSeriesName,
  type ChartName,
  type ChartOf,
} from './series-catalogue.ts';
import { formatStep, SeriesChart, type Layer } from './series-chart.tsx';
import styles from './stats.module.css';
import { useGroupNames } from './use-group-names.ts';

interface Props {
  readonly of: ChartName;
  readonly by?: string | undefined;
  /** If set, only this group is shown. */
  readonly only?: string | undefined;
  readonly stretch: Stretch;
  /** Content below the chart, computed from the loaded data. */
  readonly children?: (series: Series) => ReactNode;
}

/**
 * Maximum number of groups with a color. The remaining groups of a series are combined into one additional group if
 * their values can be added up.
 */
const GROUPS = 7;

/** A series as a chart, with its values in a table. */
export function SeriesFigure({ of, by, only, stretch, children }: Props) {
  const chart: ChartOf = CHARTS[of];
  const query = useQuery(
    seriesQuery({ name: readSeriesName(of), groupBy: by, groupKey: only, limit: GROUPS, ...stretch }),
  );
  const headingId = useId();
  return (
    <section className={styles['figure']} aria-labelledby={headingId}>
      <h2 id={headingId}>
        {chart.title}
        {by !== undefined && ` by ${(GROUP_WORDS[by] ?? by).toLowerCase()}`}
      </h2>
      <Loaded what={chart.title.toLowerCase()} query={query}>
        {(series) => (
          <>
            <Drawn chart={chart} series={only === undefined ? series : narrow(series)} by={by} />
            {children?.(series)}
          </>
        )}
      </Loaded>
    </section>
  );
}

/** Returns the series with the values of its only group as the total. */
function narrow(series: Series): Series {
  return { ...series, total: series.groups[0] ?? { sums: {}, values: {} }, truncated: false };
}

interface DrawnProps {
  readonly chart: ChartOf;
  readonly series: Series;
  readonly by: string | undefined;
}

function Drawn({ chart, series, by }: DrawnProps) {
  const { measure, shape } = chart;
  const nameOf = useGroupNames(by);
  const layers = useMemo(() => listLayers(series, measure, nameOf), [series, measure, nameOf]);
  const isEmpty = (series.total.sums[measure] ?? 0) === 0;
  if (isEmpty) return <p>{chart.empty}</p>;
  const name = `${chart.title}: ${formatMeasure(measure, series.total.sums[measure])}, as a chart`;
  return (
    <>
      <SeriesChart name={name} series={series} measure={measure} layers={layers} shape={shape} />
      <Figures name={chart.title} series={series} measure={measure} layers={layers} />
    </>
  );
}

/**
 * Returns one layer for each group and, if the series has further groups whose values can be added up, one layer for
 * their sum; without groups, one layer for the total.
 */
function listLayers(series: Series, measure: SeriesMeasure, nameOf: (key: string | null) => string): Layer[] {
  const { total, groups } = series;
  const read = ({ sums, values }: Pick<SeriesGroup, 'sums' | 'values'>, name: string): Layer => ({
    ...{ name, sum: sums[measure], values: values[measure] ?? [] },
  });
  if (groups.length === 0) return [read(total, 'all')];
  const layers = groups.map((group) => read(group, nameOf(group.key)));
  if (!series.truncated || measure.endsWith('_ms')) return layers;
  const rest = (of: (each: Layer) => number | null | undefined, all: number | null | undefined) =>
    Math.max(0, (all ?? 0) - layers.reduce((sum, layer) => sum + (of(layer) ?? 0), 0));
  const values = (total.values[measure] ?? []).map((value, place) => rest((layer) => layer.values[place], value));
  return [...layers, { name: 'others', values, sum: rest(({ sum }) => sum, total.sums[measure]) }];
}

interface FiguresProps {
  readonly name: string;
  readonly series: Series;
  readonly measure: SeriesMeasure;
  readonly layers: readonly Layer[];
}

/** The values of the chart as a table, for people who cannot see the chart. The table is built when it is opened. */
function Figures({ name, series, measure, layers }: FiguresProps) {
  const [isOpen, setOpen] = useState(false);
  const columns: Column<{ readonly at: string; readonly place: number }>[] = [
    { name: series.step === 'day' ? 'Day' : 'From', show: ({ at }) => formatStep(at, series.step) },
    ...layers.map((layer, index) => ({
      name:
        layers.length === 1
          ? MEASURE_WORDS[measure]
          : `${layer.name}${index > 0 && isTwice(layers, index) ? ` (${index + 1})` : ''}`,
      show: ({ place }: { readonly place: number }) => formatMeasure(measure, layer.values[place]),
    })),
  ];
  return (
    <details className={styles['figures']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Values of this chart</summary>
      {isOpen && (
        <DataTable
          name={`Figures: ${name}`}
          columns={columns}
          rows={series.times.map((at, place) => ({ at, place })).toReversed()}
          keyOf={({ at }) => at}
        />
      )}
    </details>
  );
}

const isTwice = (layers: readonly Layer[], index: number): boolean =>
  layers.findIndex(({ name }) => name === layers[index]?.name) < index;
