/**
 * Money: US dollars as whole numbers, so that no sum and no cost is ever rounded. Prices are micro-dollars (10^-6), what tokens and
 * calls cost is pico-dollars (10^-12), as decimal text wherever it is stored or shown.
 *
 * Not here: what something costs (models), and what may be spent (budgets).
 */
export { fromMicroUsd, fromPico, percentOf, roundToMicroUsd, toMicroUsd, toPico } from './money.ts';
