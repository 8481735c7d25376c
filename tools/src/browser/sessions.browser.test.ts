import { registerPerson, signIn } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
const SESSIONS = '/api/v1/runtime-sessions';

describe('sessions in the console', () => {
  it('are reached row by row, named, spoken to and ended', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    for (const source of ['run-1', 'run-2'])
      await api.call('POST', SESSIONS, { body: { session_source_type: 'test', session_source_id: source } });
    const tab = await (await console.visit()).open('/sessions');
    const { page } = tab;
    await signIn(page, username);
    await page.getByRole('link', { name: 'test run-1' }).waitFor();
    for (const key of ['j', 'j', 'k', 'j', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: 'test run-1' }).waitFor();
    await page.getByRole('button', { name: 'Edit title' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('The nightly run');
    await page.getByRole('button', { name: 'Save title' }).click();
    await page.getByRole('heading', { name: 'The nightly run' }).waitFor();
    await page.getByRole('button', { name: 'Write a note' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Leave the payment tables alone today.');
    await console.inspect(tab, 'write-a-note');
    await page.getByRole('button', { name: 'Send note' }).click();
    const notes = page.getByRole('table', { name: 'Notes' });
    await notes.getByText('Waits for its agent').waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByText('Leave the payment tables').waitFor();
    await console.inspect(tab, 'session-with-note');
    await notes.getByRole('button', { name: 'Take back' }).click();
    await notes.getByText('Taken back').waitFor();
    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await page.getByText('ended: operator').waitFor();
    const { body } = await api.call('GET', `${SESSIONS}?active=false`);
    expect(body.items).toMatchObject([{ title: 'The nightly run', end_reason: 'operator' }]);
  });
});
