import { useApprovals } from './approval-tests.ts';
import type { JsonResponse } from './start-gateway.ts';

export const CLAUDE = { agent_kind: 'claude_code', display_name: 'Claude of Dana' };

/** Sets up the test file: an account whose owner registers agents. */
export function useAgents() {
  const tests = useApprovals();
  return {
    tests,
    gateway: () => tests.people.gateway(),
    register: async (fields: object = {}): Promise<JsonResponse['body']> => {
      const { status, body } = await tests.call('POST', '/agents', { ...CLAUDE, ...fields });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body;
    },
    addKey: async (id: string, more: object = {}): Promise<{ id: string; key: string }> => {
      const runtime_principal = { type: 'managed_agent', id };
      return (await tests.call('POST', '/auth/api-keys', { name: 'k', runtime_principal, ...more })).body;
    },
    enroll: (id: string, fields: object = {}) =>
      tests.call('POST', `/agents/${id}/enrollments`, { enrollment_type: 'cli', ...fields }),
  };
}
