/**
 * Money: US dollars as integers, so that no sum or cost is ever rounded. Prices are in micro-dollars (10^-6); costs of
 * tokens and calls are in pico-dollars (10^-12). Amounts are stored and shown as decimal strings.
 *
 * Not here: prices (models) and spending limits (budgets).
 */
export { costOfTokens, fromMicroUsd, fromPico, percentOf, roundToMicroUsd, toMicroUsd, toPico } from './money.ts';
