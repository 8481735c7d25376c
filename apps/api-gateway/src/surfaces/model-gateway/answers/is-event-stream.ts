import type { ProviderAnswer } from '../call-providers.ts';

export function isEventStream({ headers }: Pick<ProviderAnswer, 'headers'>): boolean {
  const { 'content-type': type } = headers;
  return typeof type === 'string' && /^text\/event-stream\b/i.test(type);
}
