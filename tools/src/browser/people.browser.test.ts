import { PASSWORD } from '../e2e/register-owner.ts';
import { addPerson, openAsOwner, openDialog, registerPerson, signIn } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();

describe('users in the console', () => {
  it('are invited by a link that is shown once and lets them choose their password (CON-13)', async () => {
    const tab = await openAsOwner(console, '/settings/users');
    const { page, username, api } = tab;
    const form = await openDialog(page, 'Add user');
    await form.getByLabel('Username').fill(username);
    await form.getByLabel('Email').fill(`guest-of-${username}@example.test`);
    await form.getByLabel('Role').selectOption('analyst');
    tab.expectRefusal('/api/v1/users');
    await form.getByRole('button', { name: 'Add user' }).click();
    await form.getByRole('alert').waitFor();
    await console.inspect(tab, 'add-user');
    await form.getByLabel('Username').fill(`guest-of-${username}`);
    await form.getByLabel('Username').press('Enter');
    const link = await page.getByRole('dialog', { name: 'Invitation' }).locator('code').innerText();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page
      .getByRole('row', { name: `guest-of-${username}` })
      .getByText('Invited')
      .waitFor();
    expect(await page.content()).not.toContain(new URL(link).hash.slice(1));
    await console.inspect(tab, 'users');

    const guest = await (await console.visit()).open(`/accept-invitation${new URL(link).hash}`);
    await guest.page.getByLabel('Password').fill(PASSWORD);
    await console.inspect(guest, 'accept-invitation');
    expect(guest.page.url()).not.toContain('#');
    await guest.page.getByRole('button', { name: 'Accept the invitation' }).click();
    await signIn(guest.page, `guest-of-${username}`);
    await guest.page.getByRole('heading', { name: 'Search sessions' }).waitFor();
    const { body } = await api.call('GET', `/api/v1/users?query=guest-of-${username}`);
    expect(body.items).toMatchObject([{ role: 'analyst', is_invited: false }]);
  });

  it('can do what their role allows from their next click on (CON-12, WEB-40)', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    const guestName = await addPerson(api, 'viewer');
    const guest = (await (await console.visit()).open('/event-webhooks/endpoints')).page;
    await signIn(guest, guestName);
    await guest.getByRole('button', { name: /^Add endpoint .*needs the permission manage_policies/ }).waitFor();
    expect(await guest.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await guest.getByRole('link', { name: 'Flows' }).click();
    await guest.getByRole('button', { name: /^New flow .*needs the permission create_flows/ }).waitFor();

    const tab = await (await console.visit()).open('/settings/users');
    const { page } = tab;
    await signIn(page, username);
    const row = page.getByRole('row', { name: guestName });
    await row.getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('editor');
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await row.getByText('editor').waitFor();
    await guest.getByRole('link', { name: 'Endpoints' }).click();
    await guest.getByRole('button', { name: 'Add endpoint', exact: true }).waitFor();

    await row.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Deactivate user' }).click();
    // The text includes the icon, because the button and the title of the dialog next to it also contain the word.
    await row.getByText('– Deactivated').waitFor();
    expect((await api.call('GET', `/api/v1/users?query=${guestName}`)).body.items).toMatchObject([
      { role: 'editor', is_active: false },
    ]);
  });

  it('can be given roles that contain only permissions of their creator', async () => {
    const tab = await openAsOwner(console, '/settings/roles');
    const { page, api } = tab;
    const form = await openDialog(page, 'Create role');
    await form.getByLabel('Name').fill('on-call');
    await form.getByLabel('view flows').check();
    await form.getByLabel('execute flows').check();
    await console.inspect(tab, 'create-role');
    await form.getByRole('button', { name: 'Create role' }).click();
    await page
      .getByRole('row', { name: /^on-call this account/ })
      .getByText('execute flows')
      .waitFor();
    await console.inspect(tab, 'roles');
    const { body } = await api.call('GET', '/api/v1/roles');
    expect(body.items).toContainEqual(
      expect.objectContaining({ name: 'on-call', permissions: ['execute_flows', 'view_flows'] }),
    );
    const row = page.getByRole('row', { name: /^on-call this account/ });
    await row.getByRole('button', { name: 'Edit' }).click();
    const edited = page.getByRole('dialog', { name: 'Edit on-call' });
    await edited.getByLabel('execute flows').uncheck();
    await edited.getByRole('button', { name: 'Save role' }).click();
    await row.getByText('execute flows').waitFor({ state: 'detached' });
    expect((await api.call('GET', '/api/v1/roles')).body.items).toContainEqual(
      expect.objectContaining({ name: 'on-call', permissions: ['view_flows'] }),
    );
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete role' }).click();
    await row.waitFor({ state: 'detached' });
  });
});
