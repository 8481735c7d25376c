import { PASSWORD } from '../e2e/register-owner.ts';
import { openAsOwner, openDialog, registerPerson, signIn } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();

describe('settings in the console', () => {
  it('show a new API key once; the key works until it is revoked (WEB-41)', async () => {
    const tab = await openAsOwner(console, '/settings/api-keys');
    const { page, username } = tab;
    const form = await openDialog(page, 'Create API key');
    await form.getByLabel('Name').fill('nightly build');
    await form.getByLabel('view flows').check();
    await form.getByLabel('Expires').fill('2099-01-01');
    await form.getByLabel('Calls per day').fill('50');
    await console.inspect(tab, 'create-api-key');
    await form.getByRole('button', { name: 'Create API key' }).click();
    const key = await page.getByRole('dialog', { name: 'API key' }).getByText(/^stw_/).innerText();
    const asKey = console.suite().api.withToken(key);
    expect((await asKey.call('GET', '/api/v1/users/me')).body.username).toBe(username);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('table', { name: 'API keys' }).getByText('nightly build').waitFor();
    await page.getByRole('table', { name: 'API keys' }).getByText('view_flows').waitFor();
    await page.getByRole('table', { name: 'API keys' }).getByText('1 Jan 2099').waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('table', { name: 'API keys' }).getByText('calls per day: 0 of 50').waitFor();
    await console.inspect(tab, 'api-keys');
    const limits = await openDialog(page, 'Limit');
    await limits.getByLabel('Calls per day').fill('');
    await limits.getByLabel('Tokens per minute').fill('1000');
    await limits.getByRole('button', { name: 'Save limits' }).click();
    await page.getByRole('table', { name: 'API keys' }).getByText('tokens per minute: 0 of 1000').waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('No API keys yet.').waitFor();
    expect((await asKey.call('GET', '/api/v1/users/me')).status).toBe(401);
  });

  it('list the user’s logins, and can end one of them', async () => {
    const tab = await openAsOwner(console, '/settings/account');
    const { page, api } = tab;
    const logins = page.getByRole('table', { name: 'Logins' });
    await logins.getByText('Current').waitFor();
    await logins.getByRole('button', { name: 'End this login' }).first().click();
    await logins.getByRole('button', { name: 'End this login' }).waitFor({ state: 'detached' });
    expect((await api.call('GET', '/api/v1/users/me')).status).toBe(401);
    await logins.getByText('Current').waitFor();
  });

  it('change the password, and show which of the two passwords is invalid', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    const tab = await (await console.visit()).open('/settings/account');
    tab.expectRefusal('/api/v1/users/me/password');
    const { page } = tab;
    await signIn(page, username);
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('another long enough password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true');
    await console.inspect(tab, 'account');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The password has been changed').waitFor();
    expect((await api.call('GET', '/api/v1/users/me')).status).toBe(401);
  });
});
