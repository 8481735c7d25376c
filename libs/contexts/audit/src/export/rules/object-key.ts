/** Number of digits to which seal numbers are padded, so that the order of keys is the order of the numbers. */
const DIGITS = 12;

const pad = (number: number): string => String(number).padStart(DIGITS, '0');

/** Returns the key of the object with these seals, for example `ACCOUNT_ID/000000000001-000000000060.ndjson`. */
export function nameObject(
  accountId: string,
  { first, last }: { readonly first: number; readonly last: number },
): string {
  return `${accountId}/${pad(first)}-${pad(last)}.ndjson`;
}
