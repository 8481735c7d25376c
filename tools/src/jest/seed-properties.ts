import fc from 'fast-check';

/**
 * Seed of all properties. This module runs once in each worker, before its first test file. Every property uses the
 * same examples in every run, so that a run that passed will pass again. `PROPERTY_SEED=random` uses other examples (a
 * failure prints the seed to use here; its counterexample is then added to the `examples` of the test),
 * `PROPERTY_SEED=<integer>` uses those of that seed.
 */
const DEFAULT_SEED = 2026;

const asked = process.env['PROPERTY_SEED'];
if (asked !== 'random') fc.configureGlobal({ seed: Number(asked ?? DEFAULT_SEED) });
