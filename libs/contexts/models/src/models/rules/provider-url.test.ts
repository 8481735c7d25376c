import { buildProviderUrl, type ModelProvider } from '../../index.ts';

describe('the request URL of a provider (MOD-5)', () => {
  it.each<[ModelProvider, string, string]>([
    ['openai', 'https://api.openai.com/v1', 'https://api.openai.com/v1/x'],
    ['openai', 'https://api.openai.com', 'https://api.openai.com/v1/x'],
    ['openai', 'http://127.0.0.1:9100/', 'http://127.0.0.1:9100/v1/x'],
    ['generic_compatible', 'https://host.example/openai', 'https://host.example/openai/x'],
    ['generic_compatible', 'https://host.example/v1beta/openai', 'https://host.example/v1beta/openai/x'],
    ['anthropic', 'https://api.anthropic.com', 'https://api.anthropic.com/v1/x'],
    ['anthropic', 'https://api.anthropic.com/v1', 'https://api.anthropic.com/v1/x'],
    ['anthropic', 'https://host.example/anthropic', 'https://host.example/anthropic/v1/x'],
  ])('of %s at %s is %s', (provider, baseUrl, url) => {
    expect(buildProviderUrl({ provider, baseUrl }, '/x')).toBe(url);
  });
});
