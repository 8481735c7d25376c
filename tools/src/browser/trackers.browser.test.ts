import { startPlayedTracker } from '@steward/testing';
import { takeOutsidePort } from '../e2e/shared-suite.ts';
import { START_TIMEOUT_MS } from '../e2e/suite-apps.ts';
import { openAsOwner, openDialog } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
let github: Awaited<ReturnType<typeof startPlayedTracker>>;
beforeAll(async () => {
  github = await startPlayedTracker('github', await takeOutsidePort());
}, START_TIMEOUT_MS);
afterAll(() => github.close());

describe('trackers in the console', () => {
  it('are connected and tested, and can start a flow created from a template', async () => {
    const tab = await openAsOwner(console, '/trackers');
    const { page, api } = tab;
    const form = await openDialog(page, 'Connect tracker');
    await form.getByLabel('Name').fill('acme');
    await form.getByLabel('Token').fill('a-token-of-the-tracker');
    await form.getByLabel('URL').fill(github.origin);
    await form.getByLabel('Repositories or projects').fill('acme/*');
    await console.inspect(tab, 'connect-tracker');
    await form.getByRole('button', { name: 'Connect tracker' }).click();
    const row = page.getByRole('table', { name: 'Trackers' }).getByRole('row', { name: /^acme/ });
    await row.getByRole('button', { name: 'Test' }).click();
    await row.getByText('The token belongs to octo-bot (Octo Bot).').waitFor();
    await console.inspect(tab, 'trackers');

    await page.goto('/flows/new');
    await page.getByLabel('Start from a template').selectOption('Review a pull request (GitHub)');
    const name = page.getByLabel('Name', { exact: true });
    expect(await name.inputValue()).toBe('Review a pull request');
    await page.getByRole('textbox', { name: 'Repository or project' }).fill('acme/shop');
    await console.inspect(tab, 'flow-of-a-template');
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toContain('tracker__read_change');
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await page.getByRole('checkbox', { name: /^tracker__set_status/ }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('on events from its tracker, or manually').waitFor();
    await page.getByRole('button', { name: 'Create flow' }).click();
    await page.getByRole('heading', { name: 'Review a pull request' }).waitFor();
    const { items } = (await api.call('GET', '/api/v1/flows')).body as unknown as { items: Record<string, unknown>[] };
    expect(items[0]).toMatchObject({
      trigger: 'tracker',
      tracker_config: { repository: 'acme/shop' },
      webhook_config: { source: 'github', dedupe_path: 'pull_request.number', supersede_on_update: true },
    });
    await page.reload();
    await page.getByRole('region', { name: 'Webhook at the tracker' }).waitFor();
    await console.inspect(tab, 'flow-of-a-tracker');
  });
});
