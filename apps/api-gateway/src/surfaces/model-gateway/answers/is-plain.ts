import type { ProviderAnswer } from '../call-providers.ts';

/**
 * Returns whether a response has no content encoding. None is requested; a response that has one anyway is passed on
 * without being read.
 */
export function isPlain({ headers }: Pick<ProviderAnswer, 'headers'>): boolean {
  const { 'content-encoding': encoding = 'identity' } = headers;
  return encoding === 'identity';
}
