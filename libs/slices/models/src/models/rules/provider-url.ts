import type { ModelProvider } from '../provider.ts';

/** Where a provider is, unless the account says otherwise. */
export const KNOWN_BASE_URLS: Readonly<Partial<Record<ModelProvider, string>>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
};

/**
 * The address of a request. The libraries of OpenAI take an address that ends with the version, those of Anthropic one that does
 * not; either is understood, and so is an origin alone.
 *
 * @param path after the version: `/chat/completions`, `/messages`
 */
export function buildProviderUrl(
  { provider, baseUrl }: { readonly provider: ModelProvider; readonly baseUrl: string },
  path: string,
): string {
  const isOrigin = new URL(baseUrl).pathname === '/';
  const isVersioned = /\/v\d+[a-z\d]*$/i.test(baseUrl);
  const lacksVersion = isOrigin || (provider === 'anthropic' && !isVersioned);
  return `${baseUrl.replace(/\/+$/, '')}${lacksVersion ? '/v1' : ''}${path}`;
}
