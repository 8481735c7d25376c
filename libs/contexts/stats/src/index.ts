/**
 * Stats: recorded calls, sessions, deliveries and other rows, counted over time. Triggers on the tables of other
 * contexts note facts, a roll-up sums them by quarter hour and hour, series are read from the sums and the facts that
 * are not in them yet.
 *
 * Not here: the rows themselves, and the counts of pending items (the overview of the gateway). Used by: api-gateway.
 */
export { statsMigrations } from '../migrations/index.ts';
export { purgeSums } from './roll-up/operations/purge-sums.ts';
export { rollUpFacts } from './roll-up/operations/roll-up-facts.ts';
export { statsSettings } from './stats-settings.ts';
export { readSeries, type Series, type SeriesGroup } from './series/operations/read-series.ts';
export { SERIES, SERIES_NAMES, type SeriesMeasure, type SeriesName } from './series/series.ts';
export { SERIES_STEPS, STEP_LIMITS, type SeriesStep } from './series/steps.ts';
