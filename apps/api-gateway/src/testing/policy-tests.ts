import { useOpened } from '@steward/testing';
import { openSharedGateway } from './shared-gateway.ts';
import type { CallOptions, JsonResponse, TestAccount } from './start-gateway.ts';

export const YAML = { 'content-type': 'application/yaml' } as const;

/** Sets up the test file: the shared gateway, and one account per test. */
export function usePolicies() {
  const gateway = useOpened(openSharedGateway);
  let account: TestAccount;
  beforeEach(async () => {
    account = await gateway().registerAccount();
  });

  const call = (method: string, path: string, options: CallOptions = {}): Promise<JsonResponse> =>
    gateway().call(method, `/api/v1/policies${path}`, { token: account.accessToken, ...options });
  return {
    call,
    apply: (text: string, path = '/apply', headers: Readonly<Record<string, string>> = {}) =>
      call('POST', path, { body: text, headers: { ...YAML, ...headers } }),
    test: (body: object) => call('POST', '/test', { body }),
    get gateway() {
      return gateway();
    },
    get account() {
      return account;
    },
  };
}

/** Returns a document with these rules, written as its author would. */
export const policyOf = (...rules: readonly string[]): string =>
  ['version: "1"', rules.length === 0 ? 'rules: []' : 'rules:', ...rules.map((rule) => `  - ${rule}`), ''].join('\n');
