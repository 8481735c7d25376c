import { AppError } from '@steward/contracts';

/** Checks that the URL uses https. @throws invalid_url for any other scheme */
export function requireHttps(url: string): void {
  if (/^https:/i.test(url)) return;
  throw new AppError('invalid_url', { message: 'The URL must start with https://.', detail: { field: 'url' } });
}
