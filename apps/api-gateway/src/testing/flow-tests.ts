import pg from 'pg';
import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { openSharedGateway } from './shared-gateway.ts';
import { startTestGateway, type TestGateway } from './start-gateway.ts';

export interface Hook {
  readonly id: string;
  readonly secret: string;
  readonly url: string;
}

/**
 * Sets up the test file: a gateway (the shared one, unless settings are given), an account that owns flows, and a
 * viewer in it.
 */
export function useFlows(settings?: Readonly<Record<string, string>>) {
  let gateway: TestGateway;
  let token: string;
  let viewer: string;
  let admin: pg.Client;
  beforeAll(async () => {
    gateway = await (settings === undefined
      ? openSharedGateway()
      : startTestGateway({ FLOW_TRIGGER_RATE_PER_MINUTE: '100000', ...settings }));
    token = (await gateway.registerAccount()).accessToken;
    const login = { username: `viewer-${newId()}`, password: 'a long enough password' };
    const body = { ...login, email: `${login.username}@example.test`, role: 'viewer' };
    await gateway.call('POST', '/api/v1/users', { token, body });
    viewer = (await gateway.call('POST', '/api/v1/auth/token/json', { body: login })).body.access_token;
    admin = new pg.Client({ connectionString: gateway.database.url });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await gateway.close();
  });

  const create = async (more: Record<string, unknown> = {}) => {
    const body = {
      name: `flow ${newId()}`,
      prompt_template: 'x',
      agent_type: 'command',
      agent_config: { command: 'true' },
      ...more,
    };
    return gateway.call('POST', '/api/v1/flows', { token, body });
  };
  return {
    gateway: () => gateway,
    /** Token of the owner. */
    token: () => token,
    /** Token of a user who may only read. */
    viewer: () => viewer,
    /** The database as its superuser. */
    admin: () => admin,
    create,
    async createHook(more: Record<string, unknown> = {}): Promise<Hook> {
      const { body } = await create({ trigger: 'webhook', ...more });
      const { webhook_secret: secret } = body.webhook_config as { webhook_secret: string };
      return { id: body.id as string, secret, url: `/webhooks/flows/${body.id}/${secret}` };
    },
    async countExecutions(flowId: string): Promise<number> {
      const { rows } = await admin.query('select 1 from flows.execution where flow_id = $1', [flowId]);
      return rows.length;
    },
    /** Runs `work` while another session holds the locks of `statement`; `release` releases them. */
    async whileLocked(
      statement: string,
      work: (release: () => Promise<unknown>, holder: pg.Client) => Promise<void>,
    ): Promise<void> {
      // Uses a separate session, because within a transaction, pg_stat_activity does not change after the first read.
      const holder = new pg.Client({ connectionString: gateway.database.url });
      await holder.connect();
      try {
        await holder.query('begin');
        await holder.query(statement);
        await work(() => holder.query('commit'), holder);
      } finally {
        await holder.end();
      }
    },
    /** Resolves when a statement of the gateway waits for a lock. */
    waitForLock: (statement = '') =>
      eventually(async () => {
        const { rows } = await admin.query(
          `select 1 from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
          [`%${statement}%`],
        );
        return rows.length > 0;
      }),
  };
}
