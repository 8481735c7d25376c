import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const audit = useAudit();
const { ask, call } = audit;

const ENDPOINTS = '/event-webhooks/endpoints';
const LISTENERS = '/event-webhooks/listeners';
const LINKS = '/event-webhooks/portal-links';
const DELIVERIES = '/event-webhooks/deliveries';
const TARGET = { url: 'http://127.0.0.1:9/hook' };
const addEndpoint = async (): Promise<string> => (await call('POST', ENDPOINTS, TARGET)).id;
const addListener = async (): Promise<string> => (await call('POST', LISTENERS, {})).id;
const LINK = { group: 'customer-1', event_types: ['policy.denied'], frame_origins: ['https://app.example.com'] };
const addDead = async () => {
  const endpointId = await addEndpoint();
  const { event_id } = await call('POST', `${ENDPOINTS}/${endpointId}/test`);
  await audit.admin().query(
    `with gone as (delete from webhooks.delivery returning *)
     insert into webhooks.delivery_done (id, account_id, endpoint_id, event_id, event_type, generation, status,
       attempt_count, response_status, last_error, occurred_at, created_at)
     select id, account_id, endpoint_id, event_id, event_type, generation, 'dead', 6, 500, null, occurred_at, created_at from gone`,
  );
  return { endpointId, eventId: event_id as string };
};

/** Audit entries of receivers and their deliveries (ACC-33). */
const TABLE: AuditedTable = [
  [
    'an endpoint is created',
    async () => ({
      request: ask('POST', ENDPOINTS, { ...TARGET, event_types: ['policy.denied'] }),
      answers: 201,
      row: ({ id }) => did('create', 'event_webhook_endpoint', id, { event_types: ['policy.denied'] }),
    }),
  ],
  [
    'an endpoint is changed',
    async () => {
      const id = await addEndpoint();
      return {
        request: ask('PATCH', `${ENDPOINTS}/${id}`, { description: 'new', active: false }),
        answers: 200,
        row: () => did('update', 'event_webhook_endpoint', id, { changed: ['active', 'description'] }),
      };
    },
  ],
  [
    'an endpoint is deleted',
    async () => {
      const id = await addEndpoint();
      return {
        request: ask('DELETE', `${ENDPOINTS}/${id}`),
        answers: 204,
        row: () => did('delete', 'event_webhook_endpoint', id, { cancelled_deliveries: 0 }),
      };
    },
  ],
  [
    'the secret of an endpoint is replaced',
    async () => {
      const id = await addEndpoint();
      return {
        request: ask('POST', `${ENDPOINTS}/${id}/secret/rotate`, { overlap_seconds: 60 }),
        answers: 200,
        row: () => did('rotate_secret', 'event_webhook_endpoint', id, { overlap_seconds: 60 }),
      };
    },
  ],
  [
    'an endpoint is tested',
    async () => {
      const id = await addEndpoint();
      return {
        request: ask('POST', `${ENDPOINTS}/${id}/test`),
        answers: 202,
        row: ({ event_id }) => did('test_send', 'event_webhook_endpoint', id, { event_id, event_type: 'webhook.test' }),
      };
    },
  ],
  [
    'a listener is created',
    async () => ({
      request: ask('POST', LISTENERS, { event_types: ['policy.denied'] }),
      answers: 201,
      row: ({ id }) => did('create', 'event_webhook_listener', id, { event_types: ['policy.denied'] }),
    }),
  ],
  [
    'a listener is changed',
    async () => {
      const id = await addListener();
      return {
        request: ask('PATCH', `${LISTENERS}/${id}`, { description: 'new' }),
        answers: 200,
        row: () => did('update', 'event_webhook_listener', id, { changed: ['description'] }),
      };
    },
  ],
  [
    'a listener is deleted',
    async () => {
      const id = await addListener();
      return {
        request: ask('DELETE', `${LISTENERS}/${id}`),
        answers: 204,
        row: () => did('delete', 'event_webhook_listener', id, {}),
      };
    },
  ],
  [
    'a portal link is created',
    async () => ({
      request: ask('POST', LINKS, LINK),
      answers: 201,
      row: ({ id }) => did('create', 'event_webhook_portal_link', id, LINK),
    }),
  ],
  [
    'a portal link is revoked',
    async () => {
      const { id } = await call('POST', LINKS, LINK);
      return {
        request: ask('DELETE', `${LINKS}/${id}`),
        answers: 204,
        row: () => did('delete', 'event_webhook_portal_link', id, {}),
      };
    },
  ],
  [
    'an event is replayed',
    async () => {
      const { eventId } = await addDead();
      return {
        request: ask('POST', `${DELIVERIES}/${eventId}/replay`),
        answers: 202,
        row: () => did('replay', 'event_webhook_delivery', eventId, { queued: 1, skipped: 0 }),
      };
    },
  ],
  [
    'dead deliveries are recovered',
    async () => {
      const { endpointId } = await addDead();
      const since = new Date(Date.now() - 3_600_000).toISOString();
      const until = new Date(Date.now() + 3_600_000).toISOString();
      return {
        request: ask('POST', `${DELIVERIES}/recover`, { endpoint_id: endpointId, status: 'dead', since, until }),
        answers: 202,
        row: ({ recovery_id }) =>
          did('recover', 'event_webhook_delivery', recovery_id, {
            since,
            until,
            matched: 1,
            queued: 1,
            endpoint_id: endpointId,
          }),
      };
    },
  ],
];

audit.describeTable('receivers', TABLE);

describe('the audit log records nothing', () => {
  it('for dead deliveries that are only counted', async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const body = { status: 'dead', since, dry_run: true };
    await audit.expectNoRow({ request: ask('POST', `${DELIVERIES}/recover`, body), answers: 202 });
  });
});
