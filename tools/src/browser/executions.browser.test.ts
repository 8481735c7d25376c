import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page, Request } from 'playwright-core';
import type { Api } from '../demo/api.ts';
import { createHook } from '../e2e/create-hook.ts';
import { runCommand } from '../e2e/run-command.ts';
import { endTicking, expectEachTick, listTicks, TICKED, TICKING } from '../e2e/ticking.ts';
import { connectClient } from '../servers/connect-client.ts';
import { openAsOwner, registerPerson, signIn } from './sign-in.ts';
import { useConsole, type Tab } from './use-console.ts';

const console = useConsole();

/** Runs a command, and returns the id of its execution. */
async function run(api: Api, command: string): Promise<string> {
  const flow = await createHook(api, { name: 'nightly', prompt: 'x', command });
  const accepted = await console.suite().api.call('POST', flow.path, { body: { subject: 'x' } });
  return String(accepted.body.execution_id);
}

async function open(command: string, path: (executionId: string) => string): Promise<Tab> {
  const { username, api } = await registerPerson(console.suite().api);
  const tab = await (await console.visit()).open(path(await run(api, command)));
  await signIn(tab.page, username);
  return tab;
}

describe('executions in the console', () => {
  it('are followed while they run, stopped after a confirmation, and retried (WEB-32, WEB-35)', async () => {
    const tab = await open('echo begun; sleep 600', () => '/executions');
    const { page } = tab;
    await page.getByRole('link', { name: 'nightly' }).waitFor();
    await console.inspect(tab, 'executions');
    await page.getByRole('link', { name: 'nightly' }).click();
    await page.getByRole('log', { name: 'Live log' }).getByText('begun').waitFor();
    await page.getByText('… Running').waitFor();
    await console.inspect(tab, 'execution');
    await page.getByRole('button', { name: 'Stop execution' }).click();
    await page.getByRole('button', { name: 'Stop it' }).click();
    await page.getByText('! Stopped').waitFor();
    const former = page.url();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.waitForURL((url) => url.href !== former);
    await page.getByRole('log', { name: 'Live log' }).getByText('begun').waitFor();
    await page.getByRole('button', { name: 'Stop execution' }).click();
    await page.getByRole('button', { name: 'Stop it' }).click();
    await page.getByText('! Stopped').waitFor();
    const second = page.url();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'Run it again' }).press('Enter');
    await page.waitForURL((url) => url.href !== second);
    await page.getByRole('button', { name: 'Stop execution' }).click();
    await page.getByRole('button', { name: 'Stop it' }).click();
    await page.getByText('! Stopped').waitFor();
  });

  it('are charted by their result and duration, of all flows and of one (CON-32)', async () => {
    const tab = await openAsOwner(console, '/executions');
    const { page, api } = tab;
    await page.getByText('No executions yet.').waitFor();
    await page.getByText('No execution ended in this period.').waitFor();
    const accountId = String((await api.call('GET', '/api/v1/users/me')).body.account_id);
    const [nightly, other] = [await createHook(api, { name: 'nightly', prompt: 'x', command: 'true' }), randomUUID()];
    const client = await connectClient(console.suite().database.url);
    for (const [flowId, name, status, seconds] of [
      [nightly.id, 'nightly', 'SUCCEEDED', 40],
      [nightly.id, 'nightly', 'FAILED', 2],
      [other, 'weekly', 'SUCCEEDED', 600],
    ]) {
      const id = randomUUID();
      await client.query('begin');
      await client.query(
        `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, started_at)
         values ($1, $2, $3, $4, 'RUNNING', 'manual', '{}', now() - interval '15 minutes')`,
        [id, accountId, flowId, name],
      );
      // An execution is counted when it ends.
      await client.query(
        `update flows.execution set status = $2, finished_at = started_at + $3 * interval '1 second' where id = $1`,
        [id, status, seconds],
      );
      await client.query('commit');
    }
    await client.end();
    await page.reload();
    const results = page.getByRole('region', { name: 'Executions by result' });
    await page.getByRole('img', { name: 'Executions: 3, as a chart' }).waitFor();
    await results.getByText('SUCCEEDED 2').waitFor();
    await results.getByText('FAILED 1').waitFor();
    await results.getByText('Values of this chart').click();
    await results.getByRole('columnheader', { name: 'FAILED' }).waitFor();
    const durations = page.getByRole('region', { name: 'Duration of executions (95th percentile) by flow' });
    await durations.getByText(/^nightly [34]\d s$/).waitFor();
    await console.inspect(tab, 'executions-charts');
    await page.getByRole('combobox', { name: 'Flow' }).selectOption({ label: 'nightly' });
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('img', { name: 'Executions: 2, as a chart' }).waitFor();
    await page.getByText('Executions over time').click();
    await page.getByRole('img', { name: 'Executions: 2, as a chart' }).waitFor({ state: 'hidden' });
  });

  it('are started manually with a payload, for enabled flows and by users with the permission (WEB-32)', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    await createHook(api, {
      name: 'greet',
      prompt: 'Say hello to {{trigger_event.payload.name}}',
      command: 'cat "$STEWARD_PROMPT_FILE"',
    });
    const tab = await (await console.visit()).open('/flows');
    const { page } = tab;
    await signIn(page, username);
    await page.getByRole('table', { name: 'Flows' }).waitFor();
    await console.inspect(tab, 'flows');
    await page.getByRole('link', { name: 'greet' }).click();
    await page.getByLabel('Payload').fill('{"name": Dana}');
    await page.getByRole('button', { name: 'Run flow' }).click();
    await page.getByText('This is not a JSON object.').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: /^Run flow .*the flow is disabled/ }).waitFor();
    await console.inspect(tab, 'flow');
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByLabel('Payload').fill('{"name": "Dana"}');
    await page.getByRole('button', { name: 'Run flow', exact: true }).click();
    await page.getByRole('log', { name: 'Live log' }).getByText('Say hello to Dana').waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('table', { name: 'Audit log' }).getByText('flow', { exact: true }).first().waitFor();
    await console.inspect(tab, 'audit-log');
  });

  it('show every log line once, and keep the reader’s scroll position (WEB-33, WEB-36)', async () => {
    const tab = await open('seq -f "line %.0f." 1 20000; printf done', (id) => `/executions/${id}`);
    const { page } = tab;
    const log = page.getByRole('log', { name: 'Live log' });
    await log.getByText('line 1000.').waitFor();
    // The other parts of the page remain usable in the meantime.
    await page.getByText('Prompt', { exact: true }).click();
    await page.locator('details[open]').getByText('x', { exact: true }).waitFor();
    await page.getByText('✓ Succeeded').waitFor();
    await log.getByText('line 20000.').waitFor();
    // The last 20,000 lines are shown, with the service's messages before and after them.
    const seen = (await log.textContent())?.match(/line \d+\./g) ?? [];
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(19_500);
    expect(await page.evaluate("find('line 15000.')")).toBe(true);
    await log.hover();
    await page.mouse.wheel(0, -5000);
    await page.getByRole('button', { name: 'Follow' }).click();
    await page.getByRole('button', { name: 'Follow' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Follow' }).waitFor();
    await page.getByRole('button', { name: /^Retry .*it succeeded/ }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download log' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8').match(/line \d+\./g) ?? [];
    expect([lines.length, new Set(lines).size]).toEqual([20_000, 20_000]);
  });

  it('show their steps, and their evidence can be downloaded (CON-27)', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    const command = 'mkdir out; echo found | tee out/report.txt';
    const id = await runCommand(api, { name: 'audit', command, evidence: { enabled: true, paths: ['out'] } });
    const tab = await (await console.visit()).open(`/executions/${id}`);
    const { page } = tab;
    await signIn(page, username);
    await page.getByText('✓ Succeeded').waitFor();
    await page.getByRole('list', { name: 'Steps of the run' }).getByText('evidence').waitFor();
    await page.getByText('Evidence', { exact: true }).click();
    await page.getByText('"status": "available"').waitFor();
    await console.inspect(tab, 'execution-evidence');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download evidence' }).click(),
    ]);
    const report = execFileSync('tar', ['-xzO', '-f', await download.path(), 'files/out/report.txt']);
    expect(report.toString()).toBe('found\n');
  });

  it('disconnect from their log in a hidden tab, and continue from the same position when it is shown (CON-20)', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    const id = await run(api, TICKING);
    const { page } = await (await console.visit()).open(`/executions/${id}`);
    await signIn(page, username);
    const log = page.getByRole('log', { name: 'Live log' });
    await log.getByText('tick 3.').waitFor();
    const isFollowing = (request: Request) => request.url().includes('follow=1');
    const released = page.waitForEvent('requestfailed', isFollowing);
    await show(page, 'hidden');
    await released;
    const resumed = page.waitForRequest(isFollowing);
    await show(page, 'visible');
    await resumed;
    const readLog = async (): Promise<string> => (await log.textContent()) ?? '';
    await log.getByText(`tick ${listTicks(await readLog()).length + 4}.`).waitFor();
    endTicking(console.suite(), id);
    await log.getByText(TICKED).waitFor();
    expectEachTick(await readLog());
  });

  it('are followed in several tabs without using up the connections of the browser (CON-20, WEB-34)', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    const id = await run(api, 'for i in $(seq 600); do echo "tick $i."; sleep 0.25; done');
    const visitor = await console.visit();
    let { page } = await visitor.open(`/executions/${id}`);
    await signIn(page, username);
    // A browser opens at most six connections to an address, which all of its tabs share.
    for (let tabs = 1; tabs < 10; tabs += 1) {
      await page.getByRole('log', { name: 'Live log' }).getByText('tick 1.').waitFor();
      await show(page, 'hidden');
      ({ page } = await visitor.open(`/executions/${id}`));
    }
    await page.getByRole('log', { name: 'Live log' }).getByText('tick 1.').waitFor();
    expect((await api.call('POST', `/api/v1/flows/executions/${id}/stop`)).status).toBeLessThan(300);
    await page.getByText('! Stopped').waitFor();
  });

  it('are started manually with a file for the workspace (WEB-32)', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    await createHook(api, { name: 'reads', prompt: 'x', command: 'cat note.txt' });
    const tab = await (await console.visit()).open('/flows');
    const { page } = tab;
    await signIn(page, username);
    await page.getByRole('link', { name: 'reads' }).click();
    const files = page.getByLabel('Files for the workspace');
    await files.setInputFiles({ name: 'large.bin', mimeType: 'text/plain', buffer: Buffer.alloc(80_000) });
    await page.getByRole('button', { name: 'Run flow' }).click();
    await page.getByText('large.bin is larger than 73728 bytes.').waitFor();
    await files.setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('from the note') });
    await page.getByRole('button', { name: 'Run flow' }).click();
    await page.getByRole('log', { name: 'Live log' }).getByText('from the note').waitFor();
  });
});

/** Simulates that the tab becomes hidden or visible. */
const show = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
     document.dispatchEvent(new Event('visibilitychange'));`,
  );
