/**
 * Stats: time series of recorded calls, sessions, deliveries and other rows. Triggers on the tables of other contexts
 * record facts, a roll-up aggregates them by quarter hour and hour, and series are read from the sums and from the
 * facts that are not included in them yet.
 *
 * Not here: the rows themselves, and the counts of pending items (the gateway's overview). Used by: api-gateway.
 */
export { statsMigrations } from '../migrations/index.ts';
export { purgeSums } from './roll-up/operations/purge-sums.ts';
export { rollUpFacts } from './roll-up/operations/roll-up-facts.ts';
export { countPendingFacts } from './roll-up/store/roll-up.store.ts';
export { statsSettings } from './stats-settings.ts';
export { readSeries, type Series, type SeriesGroup } from './series/operations/read-series.ts';
export { SERIES, SERIES_NAMES, type SeriesMeasure, type SeriesName } from './series/series.ts';
export { SERIES_STEPS, STEP_LIMITS, type SeriesStep } from './series/steps.ts';
