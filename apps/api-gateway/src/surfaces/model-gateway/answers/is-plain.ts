import type { ProviderAnswer } from '../call-providers.ts';

/**
 * Returns whether a response has no content encoding. The gateway requests no encoding; a response that is encoded
 * anyway is passed on without being read.
 */
export function isPlain({ headers }: Pick<ProviderAnswer, 'headers'>): boolean {
  const { 'content-encoding': encoding = 'identity' } = headers;
  return encoding === 'identity';
}
