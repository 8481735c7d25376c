import Anthropic from '@anthropic-ai/sdk';
import { startFakeProvider, type FakeProvider } from '@steward/fake-provider';
import { eventually } from '@steward/testing';
import OpenAI from 'openai';
import { usePeople } from './people-tests.ts';
import { openSharedProvider, PROVIDER_KEY } from './shared-gateway.ts';

export { PROVIDER_KEY };

export interface Clients {
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
}

/**
 * Sets up the test file: a provider, a gateway that may call it (the shared ones, unless settings are given), and an
 * account with a model of each API.
 */
export function useModelGateway(more?: Readonly<Record<string, string>>) {
  let provider: FakeProvider;
  let token: string;
  let accountId: string;
  const environment: Record<string, string> = { ACCOUNT_RATE_PER_MINUTE: '1000000', ...more };
  beforeAll(async () => {
    provider = await (more === undefined ? openSharedProvider() : startFakeProvider({ apiKey: PROVIDER_KEY }));
    environment['MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS'] = provider.origin;
  });
  afterAll(async () => {
    if (more !== undefined) await provider.close();
  });
  const people = usePeople(more === undefined ? undefined : environment);

  async function addModel(fields: object, bearer = token): Promise<string> {
    const model = { base_url: provider.origin, api_key: PROVIDER_KEY, model_identifier: 'fake-large', ...fields };
    const { status, body } = await people.call('POST', '/ai-models', bearer, model);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return (body as { id: string }).id;
  }

  beforeAll(async () => {
    const account = await people.register();
    [token, accountId] = [account.accessToken, account.accountId];
    await addModel({ alias: 'smart', provider: 'openai' });
    await addModel({ alias: 'claude', provider: 'anthropic' });
  });
  afterEach(() => provider.reset());

  const connect = (origins: { openai: string; anthropic: string }, apiKey: string): Clients => ({
    openai: new OpenAI({ baseURL: origins.openai, apiKey, maxRetries: 0 }),
    anthropic: new Anthropic({ baseURL: origins.anthropic, apiKey, maxRetries: 0 }),
  });
  return {
    provider: () => provider,
    people,
    token: () => token,
    accountId: () => accountId,
    /** Waits until the account has this many usage rows; returns them, newest first. */
    async readUsage(count: number, bearer = token): Promise<Record<string, unknown>[]> {
      const read = async () =>
        (await people.call('GET', '/usage?limit=200', bearer)).body.items as Record<string, unknown>[];
      await eventually(async () => (await read()).length >= count);
      const rows = await read();
      expect(rows).toHaveLength(count);
      return rows;
    },
    /** Creates an account without usage, whose only models are those that `addModel` adds to it. */
    async addAccount() {
      const account = await people.register();
      return { ...account, addModel: (fields: object) => addModel(fields, account.accessToken) };
    },
    addModel,
    /** Creates a client configured like an agent, with only a URL and a key. */
    connect: (apiKey = token): Clients => {
      const { url } = people.gateway();
      return connect({ openai: `${url}/openai/v1`, anthropic: `${url}/anthropic` }, apiKey);
    },
    connectDirectly: (): Clients =>
      connect({ openai: `${provider.origin}/v1`, anthropic: provider.origin }, PROVIDER_KEY),
    post: (path: string, body: string | Buffer, headers: Record<string, string> = {}, signal?: AbortSignal) =>
      fetch(people.gateway().url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...headers },
        body: body as string,
        ...(signal === undefined ? {} : { signal }),
      }),
  };
}
