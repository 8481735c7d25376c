import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const audit = useAudit();
const { ask, call } = audit;

let counter = 0;
const findCandidate = async (): Promise<string> => {
  await call('PUT', '/agents/discovery-setting', { enabled: true });
  counter += 1;
  const agent = { agent_kind: 'codex', config_path_hash: String(counter).padStart(64, '0'), mcp_server_count: 0 };
  const report = { workstation_fingerprint: 'a'.repeat(64), os_family: 'linux', agents: [agent] };
  await call('POST', '/agents/discovery-reports', report);
  return (await call('GET', '/agents/discovery-candidates')).items[0].id as string;
};

/** Audit entries of discovery: decisions of people, not reports of machines. */
const TABLE: AuditedTable = [
  [
    'discovery is enabled',
    async () => {
      const { account_id: accountId } = await call('GET', '/users/me');
      return {
        request: ask('PUT', '/agents/discovery-setting', { enabled: true }),
        answers: 200,
        row: () => did('update', 'discovery_setting', accountId as string, { enabled: true }),
      };
    },
  ],
  [
    'a candidate is ignored',
    async () => {
      const id = await findCandidate();
      return {
        request: ask('PATCH', `/agents/discovery-candidates/${id}`, { status: 'ignored' }),
        answers: 200,
        row: () => did('update', 'discovery_candidate', id, { status: 'ignored' }),
      };
    },
  ],
  [
    'a candidate is added to the registry',
    async () => {
      const candidateId = await findCandidate();
      return {
        request: ask('POST', `/agents/discovery-candidates/${candidateId}/onboard`, { display_name: 'Codex' }),
        answers: 201,
        row: ({ id }) =>
          did('create', 'managed_agent', id, { kind: 'codex', name: 'Codex', candidate_id: candidateId }),
      };
    },
  ],
];

audit.describeTable('discovery', TABLE);
