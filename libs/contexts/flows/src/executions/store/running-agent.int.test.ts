import { sql } from 'kysely';
import type { Edition, Principal } from '@steward/contracts';
import { newId } from '@steward/crypto';
import {
  createApiKey,
  createAuthenticate,
  createTokenSigner,
  issueExecutionToken,
  revokeExecutionTokens,
  type LeasedExecution,
} from '@steward/identity';
import { openFlows, type OpenFlows } from '../../testing/open-flows.ts';
import { findRunningAgents } from './running-agent.store.ts';

const MINUTE = 60;
const DAY = 86_400;
const NOW = new Date();
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);
const signer = createTokenSigner('a-secret-key-for-tests-only-0123456789', 60 * MINUTE);

let suite: OpenFlows;
let query: OpenFlows['query'];
beforeAll(async () => {
  suite = await openFlows();
  ({ query } = suite);
});
afterAll(() => suite.close());

/** Authenticates in the same way as the gateway. */
async function authenticate(token: string, at = NOW, edition: Edition = 'enterprise'): Promise<Principal | undefined> {
  const findAgents = (hashes: readonly Buffer[], now: Date) => findRunningAgents(suite.gateway, hashes, { now });
  const deps = { db: suite.gateway, signer, edition, now: () => at, findRunningAgents: findAgents };
  return createAuthenticate(deps)(token);
}

interface Run extends LeasedExecution {
  readonly accountId: string;
  readonly flowId: string;
  readonly sessionId: string;
}

/** Adds an execution in the state in which its agent starts. */
async function startRun({ timeoutSeconds = 600, sessionId = newId() as string | null } = {}): Promise<Run> {
  const [accountId, flowId, executionId, leaseToken] = [newId(), newId(), newId(), newId()];
  await query(
    `insert into flows.flow (id, account_id, name, is_enabled, trigger, prompt_template, agent_type, agent_config,
       allowed_tools, webhook_config, setup_commands, timeout_seconds)
     values ($1, $2, 'a flow', true, 'manual', 'x', 'command', '{}', '{}', '{}', '{}', $3)`,
    [flowId, accountId, timeoutSeconds],
  );
  await query(
    `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details,
       runtime_session_id, lease_token, lease_until, worker_id, started_at)
     values ($1, $2, $3, 'a flow', 'RUNNING', 'manual', '{}', $4, $5, now() + interval '1 hour', 'a worker', now())`,
    [executionId, accountId, flowId, sessionId, leaseToken],
  );
  return { accountId, flowId, executionId, leaseToken, sessionId: sessionId ?? '' };
}

const issue = (run: LeasedExecution) => issueExecutionToken(suite.worker, run);
const change = ({ executionId }: Run, columns: string) =>
  query(`update flows.execution set ${columns} where id = $1`, [executionId]);

describe('the token of an execution (ACC-30)', () => {
  it('acts for its flow, in its account, bound to its session, with the permissions of agents (ACC-31)', async () => {
    const run = await startRun();
    const token = (await issue(run)) ?? '';
    expect(token).toMatch(/^stw_run_[\w-]{43}$/);
    const permissions = ['view_runtime_sessions', 'manage_runtime_sessions', 'view_flows'] as const;
    for (const [edition, extra] of [
      ['oss', []],
      ['enterprise', ['search_session_content']],
    ] as const) {
      expect(await authenticate(token, NOW, edition)).toMatchObject({
        kind: 'api_key',
        accountId: run.accountId,
        role: 'execution',
        permissions: new Set([...permissions, ...extra]),
        runtimePrincipal: { type: 'flow', id: run.flowId, name: 'a flow' },
        runtimeSessionId: run.sessionId,
      });
    }
  });

  it('cannot create keys, since it has no user (ACC-26)', async () => {
    const run = await startRun();
    const principal = await authenticate((await issue(run)) ?? '');
    expect(principal?.permissions.has('manage_api_keys')).toBe(false);
    const key = { name: 'ci', parentId: principal?.apiKeyId, scopes: null, expiresAt: null, runtimePrincipal: null };
    const input = { ...key, userId: principal?.userId ?? '', accountId: run.accountId };
    expect((await suite.write((trx) => createApiKey(trx, input))).kind).toBe('owner_gone');
  });

  it.each([
    ['ends', `status = 'SUCCEEDED', finished_at = now()`],
    ['is stopped', `status = 'STOPPED', finished_at = now()`],
    ['loses its lease', `lease_until = now() - interval '1 second'`],
    ['returns to the queue', `status = 'PENDING', lease_token = null, lease_until = null`],
  ])('is invalid from the moment its execution %s', async (_case, columns) => {
    const run = await startRun();
    const token = (await issue(run)) ?? '';
    expect(await authenticate(token)).toBeDefined();
    await change(run, columns);
    expect(await authenticate(token)).toBeUndefined();
    expect(await issue(run)).toBeUndefined();
  });

  it.each<[string, (run: Run) => LeasedExecution]>([
    ['the lease of another worker', (run) => ({ ...run, leaseToken: newId() })],
    ['an unknown execution', (run) => ({ ...run, executionId: newId() })],
  ])('is not issued for %s', async (_case, pretend) => {
    const run = await startRun();
    expect(await issue(pretend(run))).toBeUndefined();
    expect(await issue(run)).toBeDefined();
  });

  it('is not issued before the session exists', async () => {
    expect(await issue(await startRun({ sessionId: null }))).toBeUndefined();
  });

  it('replaces an earlier token, even under simultaneous requests', async () => {
    const run = await startRun();
    const first = (await issue(run)) ?? '';
    const tokens = await Promise.all(Array.from({ length: 4 }, () => issue(run)));
    expect(await authenticate(first)).toBeUndefined();
    const principals = await Promise.all(tokens.map((token) => authenticate(token ?? '')));
    expect(principals.some((principal) => principal !== undefined)).toBe(true);
  });

  it.each([
    ['a minute after the timeout of the flow', 600, 600 + MINUTE],
    ['after 25 hours at most', DAY, 25 * 3600],
  ])('expires %s, whatever happens to the lease', async (_case, timeoutSeconds, seconds) => {
    const run = await startRun({ timeoutSeconds });
    const token = (await issue(run)) ?? '';
    await change(run, `lease_until = now() + interval '10 days'`);
    const slack = 5 * MINUTE;
    expect(await authenticate(token, later(Math.min(seconds, timeoutSeconds) - 1))).toBeDefined();
    expect(await authenticate(token, later(seconds + slack))).toBeUndefined();
  });

  it('is stored only as a hash, which its worker cannot read', async () => {
    const run = await startRun();
    const token = (await issue(run)) ?? '';
    const rows = await query<{ row: string }>(
      'select t::text as row from gateway.execution_token t where execution_id = $1',
      [run.executionId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(token.slice('stw_run_'.length));
    const reading = sql`select token_hash from gateway.execution_token`.execute(suite.worker);
    await expect(reading).rejects.toThrow(/permission denied/);
  });

  it('is deleted after the end of its execution, and not before', async () => {
    const run = await startRun();
    await issue(run);
    const tidy = () => suite.write((trx) => revokeExecutionTokens(trx, run.executionId));
    const count = async () =>
      (await query('select 1 from gateway.execution_token where execution_id = $1', [run.executionId])).length;
    await tidy();
    expect(await count()).toBe(1);
    await change(run, `status = 'FAILED', failure_category = 'timeout', finished_at = now()`);
    await tidy();
    expect(await count()).toBe(0);
  });
});
