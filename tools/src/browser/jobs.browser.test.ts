import { randomUUID } from 'node:crypto';
import { eventually, releaseAfterAll, startHttpReceiver } from '@steward/testing';
import { requireStatus, type Api } from '../demo/api.ts';
import { connectClient } from '../servers/connect-client.ts';
import { addPerson, registerPerson, signIn, type Person } from './sign-in.ts';
import { useConsole, type Tab } from './use-console.ts';

const console = useConsole();
const WINDOWS = [{ width: 1280 }, { width: 360 }];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Opens a path at a width, as the owner of an account that was prepared with the API. */
async function open(
  { width }: { readonly width: number },
  prepare: (api: Api) => Promise<string>,
): Promise<Tab & Person> {
  const person = await registerPerson(console.suite().api);
  const path = await prepare(person.api);
  const tab = await openAs(person.username, width, path);
  return { ...tab, ...person };
}

async function openAs(username: string, width: number, path: string): Promise<Tab> {
  const visitor = await console.visit();
  const tab = await visitor.open('about:blank');
  await tab.page.setViewportSize({ width, height: 800 });
  await tab.page.goto(path);
  await signIn(tab.page, username);
  return tab;
}

async function query(text: string, values: unknown[]): Promise<void> {
  const client = await connectClient(console.suite().database.url);
  await client.query(text, values);
  await client.end();
}

/** The midnight that began the day this many days ago, in the browser's time zone, which is UTC. */
const startOfDay = (daysAgo: number): Date => new Date(Math.floor(Date.now() / DAY_MS - daysAgo) * DAY_MS);
const toDay = (at: Date): string => at.toISOString().slice(0, 10);

describe('an agent’s activity of yesterday', () => {
  /** Stores a session with sixty messages that began on this day; one of them contains the words. */
  async function store(api: Api, name: string, begun: Date, words: string): Promise<void> {
    const session = {
      session_source_type: 'test',
      session_source_id: `${name} ${toDay(begun)}`,
      started_at: begun.toISOString(),
      runtime_principal_type: 'managed_agent',
      runtime_principal_id: name.toLowerCase(),
      runtime_principal_name: name,
      title: `${name} on ${toDay(begun)}`,
    };
    const { id } = await requireStatus(201, api.call('POST', '/api/v1/runtime-sessions', { body: session }));
    const messages = Array.from({ length: 60 }, (_, place) => ({
      role: 'assistant',
      content: `${place === 40 ? words : 'It works.'} Step ${place}. ${'A long body. '.repeat(100)}`,
      external_id: `m-${place}`,
      occurred_at: new Date(begun.getTime() + place * 60_000).toISOString(),
    }));
    const path = `/api/v1/runtime-sessions/${String(id)}/transcript`;
    expect((await api.call('POST', path, { body: { messages } })).status).toBeLessThan(300);
  }

  it.each(WINDOWS)(
    'is found at a width of $width, and a second user of the account opens a link to one moment of it (CON-30)',
    async ({ width }) => {
      const tab = await open({ width }, async (api) => {
        for (const daysAgo of [1, 3]) await store(api, 'Builder', startOfDay(daysAgo), 'The migration failed.');
        await store(api, 'Reviewer', startOfDay(1), 'The migration failed.');
        return '/sessions';
      });
      const { page, api } = tab;
      await page.getByRole('link', { name: 'Builder', exact: true }).first().click();
      await page.getByLabel('Started from').fill(toDay(startOfDay(1)));
      await page.getByLabel('Before').fill(toDay(startOfDay(0)));
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.waitForURL(/from=/);
      const sessions = page.getByRole('table', { name: 'Sessions' });
      await eventually(async () => (await sessions.getByRole('row').count()) === 2);
      await console.inspect(tab, `sessions-of-an-agent-${width}`);
      await page.setViewportSize({ width, height: 800 });
      await sessions.getByRole('link', { name: `Builder on ${toDay(startOfDay(1))}` }).click();
      await page.getByLabel('Find in this session').fill('migration failed');
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      const places = page.getByRole('list', { name: 'Sessions found' }).locator('li li');
      await places.filter({ hasText: 'migration' }).getByRole('link').first().click();
      const moment = page.getByRole('region', { name: 'Timeline' }).locator('[aria-current]');
      await moment.getByText('Step 40.').waitFor();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await moment.getByRole('button', { name: 'Copy link' }).click();
      await moment.getByText('Copied.').waitFor();
      const address = new URL(String(await page.evaluate('navigator.clipboard.readText()')));
      expect(address.origin).toBe(new URL(page.url()).origin);

      const second = await openAs(await addPerson(api, 'viewer'), width, address.pathname + address.search);
      const seen = second.page.getByRole('region', { name: 'Timeline' }).locator('[aria-current]');
      await seen.getByText('The migration failed. Step 40.').waitFor();
      await eventually(async () => {
        const box = await seen.boundingBox();
        return box !== null && box.y < 800 && box.y + box.height > 0;
      });
    },
  );
});

describe('a receiver that failed', () => {
  const release = releaseAfterAll();

  /** Simulates that the earlier attempts of the deliveries of an endpoint, which take an hour, have been made. */
  const tryForTheLastTime = (endpointId: string) =>
    query(
      `update webhooks.delivery set attempt_count = 5, next_attempt_at = now(), claim_token = null, claim_until = null
        where endpoint_id = $1`,
      [endpointId],
    );

  it.each(WINDOWS)(
    'is understood and recovered at a width of $width: the reason, the repair, the lost events (CON-31)',
    async ({ width }) => {
      let status = 500;
      const receiver = await startHttpReceiver(
        (_request, response) => void response.writeHead(status, { 'content-type': 'text/plain' }).end('disk is full'),
      );
      release(() => receiver.close());
      const endpoints = '/api/v1/event-webhooks/endpoints';
      const tab = await open({ width }, async (api) => {
        const body = { url: receiver.url, event_types: ['session.ended'], keep_answers: true };
        const { id } = await requireStatus(201, api.call('POST', endpoints, { body }));
        const path = `${endpoints}/${String(id)}`;
        const send = () => api.call('POST', `${path}/test`);
        const list = async () => {
          const answer = await api.call('GET', `/api/v1/event-webhooks/deliveries?endpoint_id=${String(id)}`);
          return answer.body.items as unknown as { status: string; attempt_count: number }[];
        };
        await send();
        await eventually(async () => (await list())[0]?.attempt_count === 1);
        await tryForTheLastTime(String(id));
        await eventually(async () => (await list())[0]?.status === 'dead');
        for (let sent = 0; sent < 10; sent += 1) await send();
        await eventually(async () => (await api.call('GET', path)).body.circuit_state === 'open');
        return '/overview';
      });
      const { page } = tab;
      await page.getByRole('link', { name: '1 delivery failed permanently' }).click();
      await page.getByRole('link', { name: receiver.url }).click();
      await page.getByText(/! Paused until \d\d:\d\d/).waitFor();
      await page.getByText('Last error: HTTP 500').waitFor();
      const deliveries = page.getByRole('table', { name: 'Deliveries' });
      const dead = deliveries.getByRole('row').filter({ hasText: 'Dead' });
      await dead.getByRole('link', { name: 'webhook.test' }).click();
      const peek = page.getByRole('complementary', { name: 'Delivery' });
      await peek.getByText('HTTP 500. The receiver responded but did not accept the event.').first().waitFor();
      await peek.getByText('Answer', { exact: true }).first().click();
      await peek.getByText('disk is full').first().waitFor();
      // Nothing lies under the bar, which would make it smaller.
      await page.evaluate('scrollTo(0, 0)');
      await console.inspect(tab, `failed-receiver-${width}`);
      await page.setViewportSize({ width, height: 800 });
      await page.keyboard.press('Escape');
      await peek.waitFor({ state: 'hidden' });
      status = 200;
      await page.getByRole('button', { name: 'Enable' }).click();
      await page.getByText('✓ Active').waitFor();
      await page.getByRole('button', { name: 'Recover dead letters' }).click();
      const dialog = page.getByRole('dialog', { name: 'Recover dead letters' });
      await dialog.getByRole('button', { name: 'Count' }).click();
      await dialog.getByRole('button', { name: 'Send 1 again' }).click();
      await dialog.getByText('Sent 1 of 1').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await deliveries.getByText('Delivered').first().waitFor();
      await page.getByText('✓ Active').waitFor();
    },
  );
});

describe('ten waiting calls', () => {
  const POLICY = {
    version: '1',
    rules: [
      {
        id: 'deploys',
        description: 'Deploys need approval',
        match: { tools: ['*/deploy'] },
        action: 'require_approval',
      },
    ],
  };

  /** Ten calls that wait for a decision, the oldest first. */
  async function hold(api: Api): Promise<string[]> {
    await api.call('POST', '/api/v1/approval-workflows', {
      body: { name: 'all', is_default: true, allow_self_approval: true },
    });
    await api.call('POST', '/api/v1/policies/apply', { body: POLICY });
    const ids: string[] = [];
    for (let version = 0; version < 10; version += 1) {
      const body = { tool_name: 'deploy', arguments: { version: `2.4.${version}` } };
      const answer = await api.call('POST', '/api/v1/agents/permission-check', { body });
      ids.push(String(answer.body.approval_request_id));
    }
    return ids;
  }

  it.each(WINDOWS)(
    'are decided at a width of $width with few clicks, each is recorded in the audit log (CON-26)',
    async ({ width }) => {
      let ids: readonly string[] = [];
      const tab = await open({ width }, async (api) => {
        ids = await hold(api);
        return '/overview';
      });
      const { page, api } = tab;
      await page.getByRole('link', { name: '10 requests wait for a decision' }).click();
      await page.getByRole('button', { name: 'Select all 10' }).click();
      const boxes = page.getByRole('checkbox', { name: /^Select deploy/ });
      for (const place of [0, 1]) await boxes.nth(place).uncheck();
      await page.getByRole('button', { name: 'Approve selected' }).click();
      await page.getByRole('button', { name: 'Approve 8 calls' }).click();
      await page.getByText('8 calls approved.').waitFor();
      await page.getByRole('button', { name: 'Select all 2' }).click();
      await page.getByRole('button', { name: 'Decline selected' }).click();
      await page.getByLabel('Comment').fill('not on a Friday');
      await page.getByRole('button', { name: 'Decline 2 calls' }).click();
      await page.getByText('2 calls declined.').waitFor();
      await page.getByText('No requests are waiting for a decision.').waitFor();
      await console.inspect(tab, `approvals-decided-${width}`);

      const states = await Promise.all(
        ids.map(async (id) => String((await api.call('GET', `/api/v1/approval-requests/${id}`)).body.status)),
      );
      expect(states.toSorted()).toEqual([...Array<string>(8).fill('approved'), 'declined', 'declined']);
      const { body } = await api.call('GET', '/api/v1/audit-log?resource_type=approval_request&limit=100');
      const entries = body.items as unknown as { action: string; resource_id: string; status: string }[];
      const recorded = entries
        .filter(({ action, status }) => (action === 'approve' || action === 'decline') && status === 'success')
        .map(({ action, resource_id: id }) => `${id} ${action}d`);
      expect(recorded.toSorted()).toEqual(ids.map((id, place) => `${id} ${states[place]}`).toSorted());
    },
  );
});

describe('costs that doubled', () => {
  /** Records a model call of an agent. */
  const spend = (accountId: string, call: { hoursAgo: number; model: string; agent: string; usd: number }) =>
    query(
      `insert into models.usage (account_id, id, occurred_at, model_alias, managed_agent_id, provider, endpoint, status,
         input_tokens, output_tokens, cost_usd, price_source, usage_source, duration_ms, stream)
       values ($1, $2, now() - $3 * interval '1 hour', $4, $5, 'openai', 'responses', 'ok', 1000, 50, $6, 'catalogue',
         'provider', 20, true)`,
      [accountId, randomUUID(), call.hoursAgo, call.model, call.agent, call.usd],
    );

  it.each(WINDOWS)(
    'are traced at a width of $width from the overview to the agent and the calls that caused it (CON-28)',
    async ({ width }) => {
      const tab = await open({ width }, async (api) => {
        const accountId = String((await api.call('GET', '/api/v1/users/me')).body.account_id);
        const agent = async (name: string) => {
          const body = { display_name: name, agent_kind: 'claude_code' };
          return String((await requireStatus(201, api.call('POST', '/api/v1/agents', { body }))).id);
        };
        const [usual, other] = [await agent('Builder'), await agent('Night shift')];
        for (const hoursAgo of [2, 30]) await spend(accountId, { hoursAgo, model: 'small', agent: usual, usd: 1 });
        await spend(accountId, { hoursAgo: 3, model: 'large', agent: other, usd: 0.75 });
        await spend(accountId, { hoursAgo: 2, model: 'large', agent: other, usd: 0.25 });
        return '/overview';
      });
      const { page } = tab;
      const card = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('link', { name: 'Spend on models', exact: true }) });
      await card.getByText('+100 % from the previous period').waitFor();
      await card.getByRole('link').click();
      const byModel = page.getByRole('list', { name: 'Model, most first' }).getByRole('listitem');
      await byModel.filter({ hasText: 'small' }).getByText('±0 % from the previous period').waitFor();
      await byModel.filter({ hasText: 'large' }).getByText('none before').waitFor();
      await page.getByLabel('Group by').selectOption({ label: 'Agent' });
      await page.getByRole('button', { name: 'Show' }).click();
      const byAgent = page.getByRole('list', { name: 'Agent, most first' }).getByRole('listitem');
      await byAgent.filter({ hasText: 'Night shift' }).getByText('none before').waitFor();
      await console.inspect(tab, `costs-by-agent-${width}`);
      await page.setViewportSize({ width, height: 800 });
      await byAgent.getByRole('link', { name: 'Night shift' }).click();
      const calls = page.getByRole('table', { name: 'Model calls' });
      await calls.getByText('$0.75').waitFor();
      expect(await calls.getByRole('row').count()).toBe(3);
      expect(await page.getByLabel('Agent').locator('option:checked').textContent()).toBe('Night shift');
      await console.inspect(tab, `calls-of-an-agent-${width}`);
    },
  );
});
