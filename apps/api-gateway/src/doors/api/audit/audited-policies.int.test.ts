import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const audit = useAudit();
const { ask, call } = audit;

const SINCE = '2026-10-01T00:00:00.000Z';
const UNTIL = '2026-11-01T00:00:00.000Z';
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
  [
    'a policy is tried on recorded calls',
    () =>
      Promise.resolve({
        request: ask('POST', '/policies/backtest', { since: SINCE, until: UNTIL, limit: 10 }),
        answers: 202,
        row: ({ id }) => did('backtest', 'policy', id, { since: SINCE, until: UNTIL, limit: 10 }),
      }),
  ],
];

audit.describeTable('policies', TABLE);
