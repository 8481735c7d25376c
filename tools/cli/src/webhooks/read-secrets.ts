import type { Output } from '../output.ts';

/**
 * Reads signing secrets of a flag or STEWARD_WEBHOOK_SECRET, several separated by commas (a rotation with overlap has
 * two).
 */
export function readSigningSecrets(given: readonly string[] | string | undefined, output: Output): string[] {
  const values = (typeof given === 'string' ? [given] : (given ?? []))
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  for (const value of values) output.keepSecret(value);
  return values;
}
