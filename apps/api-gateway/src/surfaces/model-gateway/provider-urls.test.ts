import { buildProviderUrl, type ModelProvider } from '@steward/models';
import { createFindProviderUrl } from './provider-urls.ts';

describe('the address of a call at its provider', () => {
  it.each<[ModelProvider, string, string]>([
    ['openai', 'https://api.openai.com/v1', ''],
    ['openai', 'https://proxy.example.test/', '?api-version=1&x=a b'],
    ['anthropic', 'https://api.anthropic.com', '?beta=true'],
    ['anthropic', 'http://[::1]:8080/v1', ''],
  ])('is the same for the first call and the next: %s, %s, %s', (provider, baseUrl, search) => {
    const find = createFindProviderUrl();
    const model = { provider, baseUrl };
    for (const path of ['/chat/completions', '/embeddings', '/chat/completions'] as const)
      for (const query of [search, '', search]) {
        expect(find(model, path, query).href).toBe(new URL(buildProviderUrl(model, path) + query).href);
      }
  });

  it('differs by provider and by base URL', () => {
    const find = createFindProviderUrl();
    const baseUrl = 'https://proxy.example.test/models';
    const addresses = [
      { provider: 'openai', baseUrl },
      { provider: 'anthropic', baseUrl },
      { provider: 'openai', baseUrl: `${baseUrl}/v1` },
    ] as const;
    expect(addresses.map((model) => find(model, '/messages', '').pathname)).toEqual([
      '/models/messages',
      '/models/v1/messages',
      '/models/v1/messages',
    ]);
  });
});
