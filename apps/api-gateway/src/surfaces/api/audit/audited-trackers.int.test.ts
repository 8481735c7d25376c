import { eventually } from '@steward/testing';
import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const audit = useAudit();
const { ask, call } = audit;

let trackers = 0;
const fields = () => ({ name: `tracker-${(trackers += 1)}`, kind: 'github', base_url: 'https://tracker.invalid' });
const addTracker = () => call('POST', '/trackers', { ...fields(), token: 'canary' });

/** Audit entries of trackers and of the webhooks of flows in them (TRK-1, TRK-8), which never contain a token. */
const TABLE: AuditedTable = [
  [
    'a tracker is connected',
    () => {
      const sent = fields();
      return Promise.resolve({
        request: ask('POST', '/trackers', { ...sent, token: 'canary' }),
        answers: 201,
        row: ({ id }) => did('create', 'tracker', id, { ...sent, token_changed: true }),
      });
    },
  ],
  [
    'a tracker is changed',
    async () => {
      const { id } = await addTracker();
      return {
        request: ask('PATCH', `/trackers/${id}`, { repositories: ['acme/*'], token: 'canary' }),
        answers: 200,
        row: () => did('update', 'tracker', id, { repositories: ['acme/*'], token_changed: true }),
      };
    },
  ],
  [
    'a tracker is tested',
    async () => {
      const { id } = await addTracker();
      return {
        request: ask('POST', `/trackers/${id}/test`, {}),
        answers: 200,
        row: () => did('test', 'tracker', id, { base_url: 'https://tracker.invalid' }),
      };
    },
  ],
  [
    'the hook of a flow is registered',
    async () => {
      const { id: tracker_id } = await addTracker();
      const { id } = await call('POST', '/flows', {
        name: `flow-${trackers}`,
        prompt_template: 'x',
        agent_type: 'command',
        agent_config: { command: 'true' },
        trigger: 'tracker',
        tracker_config: { tracker_id, repository: 'acme/shop' },
      });
      // The automatic attempt has failed, and waits to be retried.
      await eventually(async () => {
        const { tracker_config: tracker } = await call('GET', `/flows/${id}`);
        return tracker.registration.reason !== null;
      });
      return {
        request: ask('POST', `/flows/${id}/tracker-registration`),
        answers: 200,
        row: () => did('register_hook', 'flow', id),
      };
    },
  ],
  [
    'a tracker is deleted',
    async () => {
      const { id, name } = await addTracker();
      return {
        request: ask('DELETE', `/trackers/${id}`),
        answers: 204,
        row: () => did('delete', 'tracker', id, { name }),
      };
    },
  ],
];

audit.describeTable('trackers', TABLE);
