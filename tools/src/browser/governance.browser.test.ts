import { eventually } from '@steward/testing';
import { requireStatus, type Api } from '../demo/api.ts';
import { readPolicyText, writePolicyText } from './policy-text.ts';
import { openAsOwner, openDialog } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();

const open = (path: string) => openAsOwner(console, path);

describe('the kill switch, in the console (CON-17)', () => {
  it('stops all agents with a reason and after a confirmation, is shown on every screen, and releases them', async () => {
    const tab = await open('/settings/kill-switch');
    const { page, api } = tab;
    await page.getByText('Agents may act').waitFor();
    const form = await openDialog(page, 'Stop all agents');
    await form.getByLabel('Reason').fill('A key leaked');
    await form.getByLabel('Type "stop"').fill('yes');
    await form.getByRole('button', { name: 'Stop all agents' }).click();
    // The word that was typed is a different one, so nothing is sent.
    expect((await api.call('GET', '/api/v1/account/kill-switch')).body.engaged).toBe(false);
    await console.inspect(tab, 'stop-agents');
    await form.getByLabel('Type "stop"').fill('stop');
    await form.getByRole('button', { name: 'Stop all agents' }).click();
    await page.getByText('0 runs were stopped, and 0 requests were cancelled.').waitFor();
    await console.inspect(tab, 'kill-switch');
    await page.getByRole('link', { name: 'Flows' }).click();
    await page.getByText('All agents are stopped: the kill switch is engaged.').waitFor();
    await page.getByRole('status').getByRole('link', { name: 'Kill switch' }).click();
    await page.getByText('A key leaked').waitFor();
    await page.getByRole('button', { name: 'Let agents act again' }).click();
    await page.getByRole('button', { name: 'Release' }).click();
    await page.getByText('Agents may act again.').waitFor();
    await eventually(async () => (await page.getByText('the kill switch is engaged').count()) === 0);
  });
});

describe('agents, in the console', () => {
  it('are registered, found, suspended with a reason, merged and retired', async () => {
    const tab = await open('/agents');
    const { page, api } = tab;
    const form = await openDialog(page, 'Register agent');
    await form.getByLabel('Name').fill('Release bot');
    await form.getByLabel('Kind').fill('claude_code');
    await form.getByLabel('Tags').fill('prod, eu');
    await console.inspect(tab, 'register-agent');
    await form.getByRole('button', { name: 'Register agent' }).click();
    await page.getByRole('row', { name: /^Release bot/ }).waitFor();
    await page.getByRole('form', { name: 'Filters' }).getByLabel('Name').fill('nobody');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('No agents match these filters.').waitFor();
    expect(new URL(page.url()).search).toBe('?q=nobody');
    await page.goBack();
    await console.inspect(tab, 'agents');
    await page.getByRole('link', { name: 'Release bot' }).click();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByLabel('Reason').fill('It deletes things');
    await page.getByRole('button', { name: 'Suspend agent' }).click();
    await page.getByText('It deletes things').waitFor();
    await page
      .locator(':focus')
      .and(page.getByRole('button', { name: 'Make active' }))
      .waitFor();
    await console.inspect(tab, 'agent');
    await page.getByRole('button', { name: 'Make active' }).click();
    // The text includes the icon, because the button that activates the agent also contains the word.
    await page.getByText('✓ Active').waitFor();

    const { body: twin } = await api.call('POST', '/api/v1/agents', {
      body: { display_name: 'Twin', agent_kind: 'claude_code' },
    });
    await page.getByRole('button', { name: 'Merge a duplicate' }).click();
    await page.getByLabel('Id of the duplicate').fill(String(twin.id));
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto(`${new URL(page.url()).origin}/agents/${String(twin.id)}`);
    await page.getByRole('link', { name: 'another agent' }).click();
    await page.getByRole('heading', { name: 'Release bot' }).waitFor();
    await page.getByRole('button', { name: 'Retire' }).click();
    await page.getByLabel('Reason').fill('Over');
    await page.getByRole('button', { name: 'Retire agent' }).click();
    await page.getByText('– Retired').waitFor();
  });

  it('that were reported by workstations are onboarded or ignored', async () => {
    const tab = await open('/agents/discovered');
    const { page, api } = tab;
    await page.getByText('Reports from workstations are refused').waitFor();
    await console.inspect(tab, 'discovery-off');
    await page.getByRole('button', { name: 'Accept reports' }).click();
    await page.getByText('Reports from workstations are accepted').waitFor();
    await page.getByText('No discovered agents have this state. Workstations report').waitFor();
    const seen = (kind: string, path: string) => ({
      agent_kind: kind,
      config_path_hash: path.repeat(64),
      mcp_server_count: 2,
    });
    const reported = await api.call('POST', '/api/v1/agents/discovery-reports', {
      body: {
        workstation_fingerprint: 'a'.repeat(64),
        os_family: 'linux',
        agents: [seen('claude_code', 'b'), seen('codex', 'c')],
      },
    });
    expect([reported.status, reported.status === 200 ? '' : reported.body]).toEqual([200, '']);
    await page.reload();
    await page
      .getByRole('row', { name: /^codex/ })
      .getByRole('button', { name: 'Ignore' })
      .click();
    await page.getByRole('row', { name: /^codex/ }).waitFor({ state: 'detached' });
    await console.inspect(tab, 'discovered');
    await page
      .getByRole('row', { name: /^claude_code/ })
      .getByRole('button', { name: 'Onboard' })
      .click();
    await page.getByLabel('Name').fill('Laptop of the release team');
    await page.getByRole('button', { name: 'Onboard agent' }).click();
    await page.getByRole('heading', { name: 'Laptop of the release team' }).waitFor();
    await page.goBack();
    await page.getByLabel('State').selectOption('ignored');
    await page.getByRole('button', { name: 'Show' }).click();
    await page
      .getByRole('row', { name: /^codex/ })
      .getByRole('button', { name: 'Stop ignoring' })
      .waitFor();
  });
});

describe('the policy, in the console (CON-18)', () => {
  const WRONG =
    'version: "1"\nrules:\n  - { id: no-drop, description: Nobody drops tables, match: { tools: ["*/drop"] }, action: block }\n';
  const RIGHT = WRONG.replace('block', 'deny');

  it('is validated line by line while editing, tested on a call and by a backtest, applied and rolled back', async () => {
    const tab = await open('/policies');
    const { page, api } = tab;
    await writePolicyText(page, WRONG);
    await page.getByRole('list', { name: 'Problems' }).getByText('Error:').waitFor();
    await page.getByRole('button', { name: 'Line 3' }).click();
    // The cursor is in that line, so that text is typed into it.
    await page.keyboard.type('#');
    expect((await readPolicyText(page)).split('\n')[2]).toContain('#');
    await console.inspect(tab, 'policy-problems');
    await writePolicyText(page, RIGHT);
    await page.getByText('The document is valid.').waitFor();

    const trial = page.getByRole('region', { name: 'Test a call' });
    await trial.getByLabel('Tool').fill('drop');
    await trial.getByLabel('Arguments').fill('{');
    await trial.getByRole('button', { name: 'Run test' }).click();
    await trial.getByText('This is not valid JSON.').waitFor();
    await trial.getByLabel('Arguments').fill('{"table": "users"}');
    await trial.getByRole('button', { name: 'Run test' }).click();
    await trial.getByText('Denied', { exact: false }).first().waitFor();
    await trial.getByRole('row', { name: /no-drop/ }).waitFor();

    const session = await requireStatus(
      201,
      api.call('POST', '/api/v1/runtime-sessions', {
        body: { session_source_type: 'coding_agent', session_source_id: 'run-1' },
      }),
    );
    const made = { tool_name: 'mcp__db__drop', arguments: { table: 'users' }, result: 'gone', status: 'success' };
    const path = `/api/v1/runtime-sessions/${String(session.id)}/tool-calls`;
    await requireStatus(201, api.call('POST', path, { body: made }));
    await page.getByRole('button', { name: 'Run backtest' }).click();
    await page.getByText('1 call: 0 allowed, 1 denied, 0 need approval; 1 would be decided differently').waitFor();
    await page.getByRole('table', { name: 'Decided differently' }).getByText('Newly denied').waitFor();
    await console.inspect(tab, 'policy');

    await page.getByRole('button', { name: 'Review and apply' }).click();
    const dialog = page.getByRole('dialog', { name: 'Apply the policy' });
    await dialog.getByRole('list', { name: 'Changes' }).getByText('rules/no-drop').waitFor();
    await dialog.getByLabel('Reason').fill('Tables are dear');
    await console.inspect(tab, 'apply-policy');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Version 1 is in force').waitFor();
    await applyOther(api);
    await page.getByRole('link', { name: 'Versions' }).click();
    await page
      .getByRole('row', { name: /Tables are dear/ })
      .getByRole('link')
      .click();
    await page.getByRole('region', { name: 'Version 1' }).getByText('action: deny').waitFor();
    await console.inspect(tab, 'policy-versions');
    await page.getByRole('button', { name: 'Roll back to 1' }).click();
    await page.getByRole('button', { name: 'Roll back', exact: true }).click();
    await page
      .getByRole('row', { name: /Rolled back to version 1/ })
      .getByText('In force')
      .waitFor();
    expect((await api.call('GET', '/api/v1/policies')).body).toMatchObject({ version: 3, text: RIGHT });
  });

  it('is reported as changed if another user applied one meanwhile, and the edited text is retained', async () => {
    const tab = await open('/policies');
    const { page, api } = tab;
    await writePolicyText(page, RIGHT);
    await applyOther(api);
    tab.expectRefusal('/api/v1/policies/apply');
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByRole('dialog').press('Escape');
    await page.getByText('Version 1 has been applied in the meantime.').waitFor();
    expect(await readPolicyText(page)).toBe(RIGHT);
    await page.getByRole('button', { name: 'Keep my edits' }).click();
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Version 2 is in force').waitFor();
    expect((await api.call('GET', '/api/v1/policies')).body.text).toBe(RIGHT);
  });

  /** Applies a version from another user: the active one with a different action in its rule. */
  const applyOther = async (api: Api): Promise<void> => {
    const rule = { id: 'no-drop', description: 'Nobody drops tables', match: { tools: ['*/drop'] }, action: 'allow' };
    const { status } = await api.call('POST', '/api/v1/policies/apply', { body: { version: '1', rules: [rule] } });
    expect(status).toBe(201);
  };
});
