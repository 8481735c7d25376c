import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const audit = useAudit();
const { ask, call } = audit;

const CHANNELS = '/notice-channels';
const SLACK = { kind: 'slack', url: 'http://127.0.0.1:9/room', notices: ['policy.denied'] };
const BROWSERS = '/users/me/push-subscriptions';
const BROWSER = {
  url: 'https://push.example.test/send/x',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  notices: ['approval.created'],
};
const addChannel = async (): Promise<string> => (await call('POST', CHANNELS, SLACK)).id;

/** Audit entries of notice channels and of browsers that get notices (ACC-33, NTC-12): none contains a URL or a token. */
const TABLE: AuditedTable = [
  [
    'a channel is created',
    async () => ({
      request: ask('POST', CHANNELS, SLACK),
      answers: 201,
      row: ({ id }) => did('create', 'notice_channel', id, { kind: 'slack', notices: ['policy.denied'] }),
    }),
  ],
  [
    'a channel is changed',
    async () => {
      const id = await addChannel();
      return {
        request: ask('PATCH', `${CHANNELS}/${id}`, { url: 'http://127.0.0.1:9/other', active: false }),
        answers: 200,
        row: () => did('update', 'notice_channel', id, { changed: ['active', 'url'] }),
      };
    },
  ],
  [
    'a channel is tested',
    async () => {
      const id = await addChannel();
      return {
        request: ask('POST', `${CHANNELS}/${id}/test`, { notice: 'budget.exceeded' }),
        answers: 202,
        row: ({ event_id }) => did('test_send', 'notice_channel', id, { event_id, notice: 'budget.exceeded' }),
      };
    },
  ],
  [
    'a channel is deleted',
    async () => {
      const id = await addChannel();
      return {
        request: ask('DELETE', `${CHANNELS}/${id}`),
        answers: 204,
        row: () => did('delete', 'notice_channel', id, {}),
      };
    },
  ],
  [
    'a browser is subscribed',
    async () => ({
      request: ask('POST', BROWSERS, BROWSER),
      answers: 201,
      row: ({ id }) => did('create', 'push_subscription', id, { notices: BROWSER.notices }),
    }),
  ],
  [
    'other notices are chosen for a browser',
    async () => {
      const { id } = await call('POST', BROWSERS, BROWSER);
      return {
        request: ask('PATCH', `${BROWSERS}/${id}`, { notices: ['policy.denied'] }),
        answers: 200,
        row: () => did('update', 'push_subscription', id, { notices: ['policy.denied'] }),
      };
    },
  ],
  [
    'a browser is removed',
    async () => {
      const { id } = await call('POST', BROWSERS, BROWSER);
      return {
        request: ask('DELETE', `${BROWSERS}/${id}`),
        answers: 204,
        row: () => did('delete', 'push_subscription', id, {}),
      };
    },
  ],
];

audit.describeTable('channels', TABLE);
