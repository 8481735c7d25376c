const DECIMALS_OF_PRICE = 6;
const DECIMALS_OF_COST = 12;

/** Converts a decimal string of dollars to pico-dollars. Decimals after the twelfth are truncated. */
export function toPico(usd: string): bigint {
  const [whole = '', fraction = ''] = usd.replace('-', '').split('.');
  const pico = BigInt(whole + fraction.padEnd(DECIMALS_OF_COST, '0').slice(0, DECIMALS_OF_COST));
  return usd.startsWith('-') ? -pico : pico;
}

/** Converts pico-dollars to a decimal string of dollars, which the database can add up. */
export function fromPico(pico: bigint): string {
  return toDecimal(pico, DECIMALS_OF_COST);
}

/**
 * Converts dollars per million tokens to micro-dollars per million tokens.
 * @param usd - decimal string with at most six decimals
 */
export function toMicroUsd(usd: string): number {
  const [whole = '', fraction = ''] = usd.split('.');
  return Number(whole + fraction.padEnd(DECIMALS_OF_PRICE, '0'));
}

/** Converts dollars to micro-dollars, rounded to the sixth decimal: `0.18000000000000002` is 0.18. */
export function roundToMicroUsd(usd: number): number {
  return Math.round(Number((usd * 10 ** DECIMALS_OF_PRICE).toPrecision(15)));
}

/** Converts micro-dollars to dollars. */
export function fromMicroUsd(micro: number): string {
  return toDecimal(BigInt(micro), DECIMALS_OF_PRICE);
}

/** Returns the cost of tokens in pico-dollars: a micro-dollar per million tokens is a pico-dollar per token. */
export function costOfTokens(tokens: number, usdPerMillion: number): bigint {
  return BigInt(tokens) * BigInt(roundToMicroUsd(usdPerMillion));
}

/** Returns a percentage with two decimals, never rounded up, so 100 means that the limit has been reached. */
export function percentOf(spent: bigint, limit: bigint): number {
  return Number((spent * 10_000n) / limit) / 100;
}

function toDecimal(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  const amount = digits.slice(0, -decimals) + (fraction === '' ? '' : `.${fraction}`);
  return value < 0n ? `-${amount}` : amount;
}
