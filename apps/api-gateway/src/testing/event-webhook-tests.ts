import pg from 'pg';
import {
  startTestGateway,
  type CallOptions,
  type JsonResponse,
  type TestAccount,
  type TestGateway,
} from './start-gateway.ts';

const BASE = '/api/v1/event-webhooks';

/** Shared setup of the event webhook tests: a gateway with a small outbox, and a new account for each test. */
export interface EventWebhookTests {
  readonly gateway: TestGateway;
  readonly admin: pg.Pool;
  readonly owner: TestAccount;
  /** Sends a request as the owner, under `/api/v1/event-webhooks`. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<JsonResponse>;
  addEndpoint(fields?: object): Promise<{ id: string; secret: string; [key: string]: unknown }>;
  /** Moves every pending delivery of the account to the history, as the dispatcher would. */
  finishDeliveries(status: 'delivered' | 'dead'): Promise<void>;
}

/** Sets up the test file. */
export function useEventWebhooks(): EventWebhookTests {
  let gateway: TestGateway;
  let admin: pg.Pool;
  let owner: TestAccount;

  beforeAll(async () => {
    gateway = await startTestGateway({ WEBHOOK_MAX_PENDING_PER_ACCOUNT: '3', WEBHOOK_DELIVERY_TIMEOUT_SECONDS: '7.5' });
    admin = new pg.Pool({ connectionString: gateway.database.url, max: 2 });
  });
  afterAll(async () => {
    await admin.end();
    await gateway.close();
  });
  beforeEach(async () => {
    owner = await gateway.registerAccount();
  });

  function call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<JsonResponse> {
    return gateway.call(method, `${BASE}${path}`, {
      token: owner.accessToken,
      ...(body === undefined ? {} : { body }),
      ...options,
    });
  }

  async function addEndpoint(fields: object = {}): Promise<{ id: string; secret: string; [key: string]: unknown }> {
    const response = await call('POST', '/endpoints', { url: 'http://127.0.0.1:9/hook', ...fields });
    expect(response.status).toBe(201);
    return response.body as { id: string; secret: string };
  }

  async function finishDeliveries(status: 'delivered' | 'dead'): Promise<void> {
    await admin.query(
      `with gone as (delete from webhooks.delivery where account_id = $1 returning *),
       counted as (update webhooks.outbox_shard set pending = 0 where account_id = $1)
       insert into webhooks.delivery_done (id, account_id, endpoint_id, event_id, event_type, generation, status,
         attempt_count, response_status, last_error, occurred_at, created_at)
       select id, account_id, endpoint_id, event_id, event_type, generation, $2::text, 6,
         case when $2::text = 'dead' then 500 else 200 end, null, occurred_at, created_at from gone`,
      [owner.accountId, status],
    );
  }

  return {
    get gateway() {
      return gateway;
    },
    get admin() {
      return admin;
    },
    get owner() {
      return owner;
    },
    call,
    addEndpoint,
    finishDeliveries,
  };
}
