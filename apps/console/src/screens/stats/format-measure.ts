import type { SeriesMeasure } from '../../api/answers.ts';
import { formatUsd } from '../../ui/format-usd.ts';

const count = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

const UNITS: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
  [1, 'ms'],
];

/** Formats a duration, for example `250 ms`, `1.5 s`, `2 min`. */
export function formatDuration(milliseconds: number): string {
  const [size, unit] = UNITS.find(([least]) => milliseconds >= least) ?? [1, 'ms'];
  return `${Number((milliseconds / size).toPrecision(2))} ${unit}`;
}

/** Formats a value for people; returns a dash if there is none. */
export function formatMeasure(measure: SeriesMeasure, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  if (measure === 'cost_usd') return formatUsd(value);
  return measure.endsWith('_ms') ? formatDuration(value) : count.format(value);
}

/** Formats a value for the narrow space of an axis. */
export function formatTick(measure: SeriesMeasure, value: number): string {
  if (measure === 'cost_usd') return `$${compact.format(value)}`;
  return measure.endsWith('_ms') ? formatDuration(value) : compact.format(value);
}
