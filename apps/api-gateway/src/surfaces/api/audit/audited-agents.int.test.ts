import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const audit = useAudit();
const { ask, call } = audit;
const addAgent = async (): Promise<string> =>
  (await call('POST', '/agents', { agent_kind: 'codex', display_name: 'Codex' })).id as string;

/** Audit entries of registered agents and their enrollments (ACC-33). */
const AGENTS: AuditedTable = [
  [
    'an agent is registered',
    async () => ({
      request: ask('POST', '/agents', { agent_kind: 'codex', display_name: 'Codex' }),
      answers: 201,
      row: ({ id }) => did('create', 'managed_agent', id, { kind: 'codex', name: 'Codex' }),
    }),
  ],
  [
    'an agent is changed',
    async () => {
      const id = await addAgent();
      return {
        request: ask('PATCH', `/agents/${id}`, { lifecycle_state: 'suspended' }),
        answers: 200,
        row: () => did('update', 'managed_agent', id, { lifecycle_state: 'suspended' }),
      };
    },
  ],
  [
    'an agent is retired',
    async () => {
      const id = await addAgent();
      return {
        request: ask('DELETE', `/agents/${id}`),
        answers: 204,
        row: () => did('delete', 'managed_agent', id, { revoked_api_keys: 0 }),
      };
    },
  ],
  [
    'two agents are merged',
    async () => {
      const [id, duplicate] = [await addAgent(), await addAgent()];
      return {
        request: ask('POST', `/agents/${id}/merge`, { duplicate_agent_id: duplicate }),
        answers: 200,
        row: () => did('merge', 'managed_agent', id, { duplicate_agent_id: duplicate, moved_api_keys: 0 }),
      };
    },
  ],
  [
    'an agent is enrolled',
    async () => {
      const agentId = await addAgent();
      return {
        request: ask('POST', `/agents/${agentId}/enrollments`, { enrollment_type: 'cli' }),
        answers: 201,
        row: ({ id }) => did('create', 'agent_enrollment', id, { agent_id: agentId, status: 'pending' }),
      };
    },
  ],
  ...(['validate', 'restore'] as const).map((action): AuditedTable[number] => [
    `an enrollment: ${action}`,
    async () => {
      const agentId = await addAgent();
      const { id } = await call('POST', `/agents/${agentId}/enrollments`, { enrollment_type: 'cli' });
      const details = { agent_id: agentId, ...(action === 'validate' ? { status: 'failed' } : {}) };
      return {
        request: ask(
          'POST',
          `/agents/${agentId}/enrollments/${id}/${action}`,
          action === 'validate' ? { ok: false } : {},
        ),
        answers: 200,
        row: () => did(action, 'agent_enrollment', id as string, details),
      };
    },
  ]),
];

audit.describeTable('agents', AGENTS);
