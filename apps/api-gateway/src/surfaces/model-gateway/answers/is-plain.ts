import type { ProviderAnswer } from '../call-providers.ts';

/**
 * Whether a response has no content encoding. None was requested; if a response has one anyway, it is passed on without
 * being read.
 */
export function isPlain({ headers }: Pick<ProviderAnswer, 'headers'>): boolean {
  const { 'content-encoding': encoding = 'identity' } = headers;
  return encoding === 'identity';
}
