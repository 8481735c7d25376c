/**
 * Minimum strength of a secret in bits: about half of the strength of 128 random bits in hexadecimal, so that only
 * placeholders are below it.
 */
const LEAST_BITS = 64;

/**
 * Returns true if a key looks like a placeholder: one repeated letter, a repeated short word, a few distinct
 * characters. The measure is deliberately rough (entropy of the characters, with a repeated part counted once): it
 * refuses placeholders and does not grade passwords.
 */
export function isWeakSecret(text: string): boolean {
  const part = text.slice(0, findPeriod(text));
  const counts = new Map<string, number>();
  for (const character of part) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / part.length);
  return bits < LEAST_BITS;
}

/**
 * Returns the length of the shortest part that yields the string when repeated; the last repetition may be incomplete.
 */
function findPeriod(text: string): number {
  for (let length = 1; length <= text.length / 2; length += 1) {
    if (text.startsWith(text.slice(length))) return length;
  }
  return text.length;
}
