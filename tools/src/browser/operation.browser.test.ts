import { startFakeProvider } from '@steward/fake-provider';
import { eventually } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { startToolServer } from '../demo/start-tool-server.ts';
import { runCommand } from '../e2e/run-command.ts';
import { endTicking, expectEachTick, TICKED, TICKING } from '../e2e/ticking.ts';
import { connectClient } from '../servers/connect-client.ts';
import { addPerson, openAsOwner, openDialog, registerPerson, signIn } from './sign-in.ts';
import { useConsole, type Tab } from './use-console.ts';

// The URLs of these servers are settings of the suite, so they have to start before it.
const provider = await startFakeProvider({ port: 0 });
const tools = await startToolServer(0);
afterAll(() => Promise.all([provider.close(), tools.close()]));

const console = useConsole({
  MCP_ALLOW_INSECURE_URLS: new URL(tools.url).origin,
  MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: provider.origin,
});

const open = (path: string) => openAsOwner(console, path);

const findModel = async (api: Api, alias: string): Promise<string> =>
  ((await api.call('GET', '/api/v1/ai-models')).body.items as unknown as { id: string; alias: string }[]).find(
    (model) => model.alias === alias,
  )?.id ?? '';

describe('models and other agent resources in the console', () => {
  it('models are added, refused with errors at their fields, tested, counted and limited', async () => {
    const tab = await open('/models');
    const { page, api } = tab;
    const form = await openDialog(page, 'Add model');
    await form.getByLabel('Alias').fill('large');
    await form.getByLabel('Name at the provider').fill('fake-large');
    await form.getByLabel('Address').fill('http://127.0.0.1:9/v1');
    tab.expectRefusal('/api/v1/ai-models');
    await form.getByRole('button', { name: 'Add model' }).click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
    await console.inspect(tab, 'add-model');
    await form.getByLabel('Address').fill(provider.origin);
    await form.getByLabel('Address').press('Enter');
    const row = page.getByRole('table', { name: 'AI models' }).getByRole('row', { name: /^large/ });
    await row.getByRole('button', { name: 'Test' }).click();
    await row.getByText('The model responded in').waitFor();
    await console.inspect(tab, 'models');
    const { body: spare } = await api.call('POST', '/api/v1/ai-models', {
      body: { alias: 'spare', provider: 'openai', base_url: provider.origin, model_identifier: 'fake-small' },
    });
    await page.reload();
    await row.getByRole('button', { name: 'Edit' }).click();
    const edited = page.getByRole('dialog', { name: 'Edit large' });
    await edited.getByLabel('Input price').fill('2.5');
    tab.expectRefusal(`/api/v1/ai-models/${await findModel(api, 'large')}`);
    await edited.getByRole('button', { name: 'Save model' }).click();

    await edited.getByRole('alert').waitFor();
    await edited.getByLabel('Output price').fill('10');
    await edited.getByLabel('First fallback').selectOption('spare');
    await edited.getByRole('button', { name: 'Save model' }).click();
    await edited.waitFor({ state: 'detached' });
    expect((await api.call('GET', `/api/v1/ai-models/${await findModel(api, 'large')}`)).body).toMatchObject({
      prices: { input_per_mtok_usd: 2.5, output_per_mtok_usd: 10 },
      price_source: 'custom',
      fallback_model_ids: [spare.id],
    });
    const answer = await api.call('POST', '/openai/v1/chat/completions', {
      body: { model: 'large', messages: [{ role: 'user', content: 'hello' }] },
    });
    expect(answer.status).toBe(200);
    // Usage is recorded when the call ends.
    await eventually(async () => JSON.stringify((await api.call('GET', '/api/v1/usage')).body).includes('"large"'));

    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('img', { name: 'Cost by day' }).waitFor();
    await page.getByLabel('Group by').selectOption('model');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('row', { name: /^large/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?by=model');
    await console.inspect(tab, 'usage');
  });

  it('budgets are created, changed and deleted', async () => {
    const tab = await open('/budgets');
    const { page, api } = tab;
    const form = await openDialog(page, 'Add budget');
    await form.getByLabel('Limit in US dollars').fill('-1');
    tab.expectRefusal('/api/v1/budgets');
    await form.getByRole('button', { name: 'Add budget' }).click();
    await form.getByRole('alert').waitFor();
    await console.inspect(tab, 'add-budget');
    await form.getByLabel('Limit in US dollars').fill('12.5');
    await form.getByLabel('Alert at percentage').fill('50, 90');
    await form.getByRole('button', { name: 'Add budget' }).click();
    const table = page.getByRole('table', { name: 'Budgets' });
    await table.getByText('$0.00 of $12.50').waitFor();
    await console.inspect(tab, 'budgets');
    await table.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Enabled').uncheck();
    await page.getByRole('button', { name: 'Save budget' }).click();
    await table.getByText('Disabled').waitFor();
    expect((await api.call('GET', '/api/v1/budgets')).body.items).toMatchObject([
      { limit_amount: 12.5, thresholds_percent: [50, 90], hard: true, enabled: false, period: 'monthly' },
    ]);
    await table.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete budget' }).click();
    await page.getByText('No budgets yet.').waitFor();
  });

  it('a changed tool is accepted by a user who has been shown both descriptions', async () => {
    const tab = await open('/tool-servers');
    const { page, api } = tab;
    const form = await openDialog(page, 'Add tool server');
    await form.getByLabel('Name').fill('ops');
    await form.getByLabel('URL').fill(tools.url);
    await console.inspect(tab, 'add-tool-server');
    await form.getByRole('button', { name: 'Add tool server' }).click();
    await page.getByRole('table', { name: 'Tool servers' }).waitFor();
    await console.inspect(tab, 'tool-servers');
    await page.getByRole('link', { name: 'ops' }).click();
    await page.getByRole('button', { name: 'Reload tools' }).click();
    await page
      .getByRole('row', { name: /^deploy/ })
      .getByText('Accepted definition')
      .waitFor();
    await describeAsBefore('deploy', 'Would do something else.');
    await page.getByRole('button', { name: 'Reload tools' }).click();
    await page
      .getByRole('row', { name: /^deploy/ })
      .getByText('Changed since it was accepted')
      .waitFor();
    await console.inspect(tab, 'tool-server');
    await page.getByRole('button', { name: 'Review the change' }).click();
    await page.getByRole('dialog').getByText('Would do something else.').waitFor();
    await console.inspect(tab, 'changed-tool');
    await page.getByRole('button', { name: 'Accept the change' }).click();
    await page
      .getByRole('row', { name: /^deploy/ })
      .getByText('Accepted definition')
      .waitFor();
    const { body } = await api.call('GET', '/api/v1/mcp-servers');
    expect(body.items).toMatchObject([{ name: 'ops', status: 'ok', tools_count: 3 }]);
  });

  /** Simulates that the tool had been accepted with this description. */
  async function describeAsBefore(name: string, description: string): Promise<void> {
    const client = await connectClient(console.suite().database.url);
    await client.query(
      `update tool_servers.tool
          set accepted_definition = jsonb_set(definition, '{description}', to_jsonb($2::text)), accepted_hash = sha256('before')
        where name = $1`,
      [name, description],
    );
    await client.end();
  }

  it('a flow is created step by step, and its tool requires approval (CON-19, WEB-30, WEB-31, WEB-37)', async () => {
    const tab = await open('/flows');
    const { page, api } = tab;
    const made = [
      await api.call('POST', '/api/v1/mcp-servers', { body: { name: 'ops', url: tools.url } }),
      await api.call('POST', '/api/v1/ai-models', {
        body: { alias: 'large', provider: 'openai', base_url: provider.origin, model_identifier: 'fake-large' },
      }),
      await api.call('POST', '/api/v1/flows', {
        body: { name: 'taken', prompt_template: 'x', agent_type: 'command', agent_config: { command: 'true' } },
      }),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    await api.call('POST', `/api/v1/mcp-servers/${String(made[0]?.body.id)}/refresh`);
    await page.getByRole('button', { name: 'New flow' }).click();
    const next = page.getByRole('button', { name: 'Next' });
    await page.getByLabel('Name', { exact: true }).fill('taken');
    await page.getByLabel('Model').selectOption('large');
    await console.inspect(tab, 'new-flow-start');
    await next.click();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Deploy {{trigger_event.payload.version}}');
    await next.click();
    await page.getByRole('checkbox', { name: /^ops__deploy/ }).check();
    await page.getByRole('checkbox', { name: 'Require approval for each call of ops__deploy' }).check();
    await console.inspect(tab, 'new-flow-tools');
    await next.click();
    await page.getByLabel('Name of the workflow').fill('release managers');
    await console.inspect(tab, 'new-flow-approval');
    await next.click();
    await page
      .getByText('Each call of ops__deploy requires approval through the new workflow release managers')
      .waitFor();
    await console.inspect(tab, 'new-flow-review');
    tab.expectRefusal('/api/v1/flows');
    await page.getByRole('button', { name: 'Create flow' }).click();
    // The page shows the step that contains the invalid field, with its value.
    await page.getByText('A flow with this name already exists.').waitFor();
    expect((await api.call('GET', '/api/v1/approval-workflows')).body.items).toEqual([]);
    await page.getByLabel('Name', { exact: true }).fill('deployer');
    for (const _step of ['Prompt', 'Tools', 'Approval', 'Review']) await next.click();
    await page.getByRole('button', { name: 'Create flow' }).click();
    await page.getByRole('heading', { name: 'deployer' }).waitFor();
    await page.getByText('Enabled').waitFor();
    await page.getByText('Run it below to try it').waitFor();

    provider.behave({ toolArguments: '{"version":"2.4.1"}' });
    await page.getByText('Webhook address').click();
    const former = await page.getByText('/webhooks/flows/').textContent();
    await page.getByRole('button', { name: 'Create a new address' }).click();
    await page.getByRole('button', { name: 'Replace the address' }).click();
    await eventually(async () => (await page.getByText('/webhooks/flows/').textContent()) !== former);
    expect((await fetch(String(former), { method: 'POST', body: '{}' })).status).toBe(404);
    const address = await page.getByText('/webhooks/flows/').textContent();
    expect(
      (
        await fetch(String(address), {
          method: 'POST',
          body: '{"version":"2.4.1"}',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(202);
    await page.getByRole('table', { name: 'Latest runs' }).getByRole('link').click();
    await page.getByText('… Running').waitFor();
    await page.getByRole('link', { name: /^Approvals ?1$/ }).waitFor();
    await page.getByRole('link', { name: 'Open approval' }).click();
    await page.getByText('2.4.1').first().waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page
      .getByRole('button', { name: /^Approve/ })
      .last()
      .click();
    await page.getByText('Approved').first().waitFor();
    await page.goto(`${new URL(page.url()).origin}/executions`);
    await page.getByText('✓ Succeeded').waitFor();

    await page.getByRole('link', { name: 'Flows' }).click();
    await page.getByRole('link', { name: 'deployer' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Deploy it again');
    await console.inspect(tab, 'edit-flow');
    await page.getByRole('button', { name: 'Save flow' }).click();
    await page.getByText('Deploy it again').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete flow' }).click();
    await page.getByRole('link', { name: 'taken' }).waitFor();
    await page.getByRole('link', { name: 'deployer' }).waitFor({ state: 'detached' });
  });

  it('the console waits for a killed gateway: loaded content remains visible, and a log continues from its position (CON-14, CON-20, WEB-33, WEB-43)', async () => {
    const tab = await open('/flows');
    const { page, api } = tab;
    await page.getByRole('heading', { name: 'Flows' }).waitFor();
    const executionId = await runCommand(api, { name: 'ticking', command: TICKING });
    await page.goto(`${new URL(page.url()).origin}/executions/${executionId}`);
    const log = page.getByRole('log', { name: 'Live log' });
    await log.getByText('tick 4.').waitFor();
    // The next connection waits until the outage has been checked, even if the gateway is available again sooner.
    const seen = Promise.withResolvers<void>();
    await page.route('**/logs?follow=1', async (route) => {
      await seen.promise;
      await route.continue();
    });
    tab.expectOutage();
    const restarted = console.suite().crash('api-gateway');
    await page
      .getByText('The connection was interrupted. When it is restored, the log continues where it stopped.')
      .waitFor();
    await log.getByText('tick 4.').waitFor();
    seen.resolve();
    await restarted;
    endTicking(console.suite(), executionId);
    await log.getByText(TICKED).waitFor();
    expectEachTick((await log.textContent()) ?? '');
    await page.getByText('✓ Succeeded').waitFor();
    await page.getByText('Connection lost').waitFor({ state: 'hidden' });
  });

  it('in the enterprise edition an analyst can search, and a viewer is told which permission is required (WEB-20)', async () => {
    const { api } = await registerPerson(console.suite().api);
    const openAs = async (role: string): Promise<Tab> => {
      const tab = await (await console.visit()).open('/search?q=anything');
      tab.expectRefusal('/api/v1/runtime-sessions/search');
      await signIn(tab.page, await addPerson(api, role));
      return tab;
    };
    await (await openAs('analyst')).page.getByText('0 sessions').first().waitFor();
    const viewer = await openAs('viewer');
    await viewer.page
      .getByText(/search_session_content/)
      .first()
      .waitFor();
    await console.inspect(viewer, 'search-refused');
  });
});
