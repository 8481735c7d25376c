const DECIMALS_OF_PRICE = 6;
const DECIMALS_OF_COST = 12;

/**
 * Dollars per million tokens as micro-dollars per million.
 * @param usd decimal text with at most six decimals
 */
export function toMicroUsd(usd: string): number {
  const [whole = '', fraction = ''] = usd.split('.');
  return Number(whole + fraction.padEnd(DECIMALS_OF_PRICE, '0'));
}

/** The same of a number, which is rounded to the sixth decimal: `0.18000000000000002` is 0.18. */
export function roundToMicroUsd(usd: number): number {
  return Math.round(Number((usd * 10 ** DECIMALS_OF_PRICE).toPrecision(15)));
}

/** Micro-dollars as dollars. */
export function fromMicroUsd(micro: number): string {
  return toDecimal(BigInt(micro), DECIMALS_OF_PRICE);
}

/** 10^-12 dollars as dollars in decimal text, as the database adds them up. */
export function fromPicoUsd(pico: bigint): string {
  return toDecimal(pico, DECIMALS_OF_COST);
}

function toDecimal(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  const whole = digits.slice(0, -decimals);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
