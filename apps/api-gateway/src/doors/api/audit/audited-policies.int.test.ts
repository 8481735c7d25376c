import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const audit = useAudit();
const { ask, call } = audit;

let documents = 0;
const nextDocument = () => ({ version: '1', metadata: { name: `document ${(documents += 1)}` } });
const apply = async (): Promise<number> => (await call('POST', '/policies/apply', nextDocument())).version;

/** What is recorded of policies (POL-17, ACC-33). */
const TABLE: AuditedTable = [
  [
    'a policy is applied',
    async () => {
      const version = await apply();
      return {
        request: ask('POST', '/policies/apply', nextDocument()),
        answers: 201,
        row: () => did('apply', 'policy', null, { version: version + 1, rules: 0 }),
      };
    },
  ],
  [
    'an old version is put into force again',
    async () => {
      const version = await apply();
      return {
        request: ask('POST', `/policies/versions/${version}/rollback`),
        answers: 201,
        row: () => did('rollback', 'policy', null, { version: version + 1, rolled_back_to: version }),
      };
    },
  ],
];

audit.describeTable('policies', TABLE);
