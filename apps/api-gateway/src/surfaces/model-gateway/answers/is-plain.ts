import type { ProviderAnswer } from '../call-providers.ts';

/** Encoded responses were not requested; if one arrives anyway, it is passed on without being read. */
export function isPlain({ headers }: Pick<ProviderAnswer, 'headers'>): boolean {
  const { 'content-encoding': encoding = 'identity' } = headers;
  return encoding === 'identity';
}
