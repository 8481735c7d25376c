import type { ProviderAnswer } from '../dial-models.ts';

/** Encoded responses were not requested; if one comes anyway, it passes unread. */
export function isPlain({ headers }: Pick<ProviderAnswer, 'headers'>): boolean {
  const { 'content-encoding': encoding = 'identity' } = headers;
  return encoding === 'identity';
}
