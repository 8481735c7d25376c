import type { ProviderAnswer } from '../dial-models.ts';

/** Encoded answers were not asked for; what comes encoded all the same passes unread. */
export function isPlain({ headers }: Pick<ProviderAnswer, 'headers'>): boolean {
  const { 'content-encoding': encoding = 'identity' } = headers;
  return encoding === 'identity';
}
