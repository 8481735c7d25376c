import type { Output } from '../output.ts';

/**
 * Reads signing secrets from a flag or from STEWARD_WEBHOOK_SECRET, separated by commas if there are several (a
 * rotation with overlap has two).
 */
export function readSigningSecrets(given: readonly string[] | string | undefined, output: Output): string[] {
  const values = (typeof given === 'string' ? [given] : (given ?? []))
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  for (const value of values) output.keepSecret(value);
  return values;
}
