import type { ProviderAnswer } from '../call-providers.ts';

/**
 * Returns whether a response has no content encoding. The gateway requests no encoding, and decompresses a response
 * with a known encoding; a response with any other encoding is passed on without being read.
 */
export function isPlain({ headers }: Pick<ProviderAnswer, 'headers'>): boolean {
  const { 'content-encoding': encoding = 'identity' } = headers;
  return encoding === 'identity';
}
