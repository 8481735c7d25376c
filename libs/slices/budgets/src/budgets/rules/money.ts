const DECIMALS = 12;

/** Decimal text of dollars as 10^-12 dollars: whole, so that nothing is rounded. */
export function toPico(usd: string): bigint {
  const [whole = '', fraction = ''] = usd.replace('-', '').split('.');
  const pico = BigInt(whole + fraction.padEnd(DECIMALS, '0').slice(0, DECIMALS));
  return usd.startsWith('-') ? -pico : pico;
}

export function fromPico(pico: bigint): string {
  const digits = (pico < 0n ? -pico : pico).toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  const amount = digits.slice(0, -DECIMALS) + (fraction === '' ? '' : `.${fraction}`);
  return pico < 0n ? `-${amount}` : amount;
}

/** With two decimals, never rounded up: 100 is said of a limit that is reached. */
export function percentOf(spent: bigint, limit: bigint): number {
  return Number((spent * 10_000n) / limit) / 100;
}
