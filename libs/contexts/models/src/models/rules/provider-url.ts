import type { ModelProvider } from '../provider.ts';

/** Base URLs of providers, which are used unless the account sets another one. */
export const KNOWN_BASE_URLS: Readonly<Partial<Record<ModelProvider, string>>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
};

/**
 * Builds the URL of a request. Base URLs for OpenAI libraries end with the version; base URLs for Anthropic libraries
 * do not. For Anthropic, both forms are accepted; for other providers, the version is added only to an origin without a
 * path.
 *
 * @param path - the path after the version, for example `/chat/completions` or `/messages`
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
