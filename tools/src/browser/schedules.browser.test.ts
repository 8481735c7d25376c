import { registerPerson, signIn } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();

describe('schedules in the console', () => {
  it('are created with a preview of due times, paused, changed and run immediately (WEB-49)', async () => {
    const { username } = await registerPerson(console.suite().api);
    const tab = await (await console.visit()).open('/flows/new');
    const { page } = tab;
    await signIn(page, username);
    await page.getByLabel('Name', { exact: true }).fill('nightly audit');
    await page.getByLabel('Started by').selectOption('schedule');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('Cron expression').fill('30 5 * * *');
    const next = page.getByRole('status', { name: 'Next due times' });
    await next
      .getByText(/ 05:30:00\+0[12]:00/)
      .first()
      .waitFor();
    expect(await next.getByRole('listitem').count()).toBe(5);
    await page.getByLabel('Agent').selectOption('command');
    await page.getByRole('textbox', { name: 'Command' }).fill('cat "$STEWARD_PROMPT_FILE"');
    await console.inspect(tab, 'new-schedule');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('due {{trigger_event.payload.due_local}}');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('at its due times, or manually').waitFor();
    await page.getByRole('button', { name: 'Create flow' }).click();
    await page.getByRole('heading', { name: 'Schedule', exact: true }).waitFor();

    await page.getByRole('link', { name: 'Schedules' }).click();
    const row = page.getByRole('table', { name: 'Schedules' }).getByRole('row', { name: /nightly audit/ });
    await row.getByText(/ 05:30:00\+0[12]:00/).waitFor();
    await console.inspect(tab, 'schedules');
    await row.getByRole('button', { name: 'Pause nightly audit' }).click();
    await row.getByText('Paused').waitFor();
    await row.getByRole('button', { name: 'Resume nightly audit' }).click();
    await row.getByText('Active').waitFor();

    await row.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Schedule of nightly audit' });
    tab.expectRefusal('/api/v1/schedules/preview');
    await dialog.getByLabel('Cron expression').fill('30 5 * * * *');
    await dialog.getByText(/has more than five fields/).waitFor();
    await console.inspect(tab, 'change-schedule');
    await dialog.getByLabel('Due', { exact: true }).selectOption('interval');
    await dialog.getByLabel('Minutes between').fill('90');
    await dialog.getByRole('button', { name: 'Save schedule' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText('every 90 minutes').waitFor();

    await row.getByRole('button', { name: 'Run now nightly audit' }).click();
    await page
      .getByRole('log', { name: 'Live log' })
      .getByText(/due \d{4}-/)
      .waitFor();
  });
});
