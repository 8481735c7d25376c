import { useModelGateway } from './model-gateway-tests.ts';

const MESSAGES = [{ role: 'user' as const, content: 'Hello' }];
/** Prices of one dollar per input token and one dollar per output token; cached input is free. */
export const PRICES = { input_per_mtok_usd: 1_000_000, output_per_mtok_usd: 1_000_000, cached_input_per_mtok_usd: 0 };
export const PATHS = { chat: '/openai/v1/chat/completions', messages: '/anthropic/v1/messages' };

/** Sets up the test file: separate accounts with models of both providers, their ledgers and their calls. */
export function useBooking() {
  const gateway = useModelGateway();
  /** Creates a separate account with models; returns the functions that make and read its calls. */
  async function open(prices: object | null = PRICES) {
    const account = await gateway.addAccount();
    const { accessToken: token } = account;
    const chat = await account.addModel({ alias: 'chat', provider: 'openai', prices });
    await account.addModel({ alias: 'messages', provider: 'anthropic', prices });
    return {
      ...account,
      token,
      chat,
      clients: gateway.connect(token),
      readUsage: (count: number) => gateway.readUsage(count, token),
      post: (model: keyof typeof PATHS, more: object = {}, signal?: AbortSignal) =>
        gateway.post(
          PATHS[model],
          JSON.stringify({ model, messages: MESSAGES, max_tokens: 50, ...more }),
          { authorization: `Bearer ${token}` },
          signal,
        ),
      addBudget: async (fields: object) => {
        const { status, body } = await gateway.people.call('POST', '/budgets', token, {
          // This period practically never ends while a test runs.
          period: 'yearly',
          scope: 'account',
          ...fields,
        });
        expect(status).toBe(201);
        return body as { id: string };
      },
      readBudgets: async () =>
        (await gateway.people.call('GET', '/budgets', token)).body.items as {
          spent_amount: number;
          reserved_amount: number;
        }[],
    };
  }
  return { gateway, open };
}
