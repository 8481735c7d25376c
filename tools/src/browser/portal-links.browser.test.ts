import { openAsOwner, openDialog } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
const ENDPOINTS = '/api/v1/event-webhooks/endpoints';

describe('portal links in the console', () => {
  it('are created for a group, shown once with their end, open the portal, and can be ended (CON-38)', async () => {
    const tab = await openAsOwner(console, '/event-webhooks/endpoints');
    const { page, api } = tab;
    await page.getByRole('heading', { name: 'Endpoints' }).waitFor();
    const { body } = await api.call('POST', ENDPOINTS, {
      body: { url: 'https://receiver.example.com/hook', group: 'customer-4711' },
    });
    await page.goto(`/event-webhooks/endpoints/${String(body.id)}`);
    const form = await openDialog(page, 'Create portal link');
    expect(await form.getByLabel('Group').inputValue()).toBe('customer-4711');
    await form.getByLabel('session.ended').check();
    await form.getByLabel('Pages that may embed the portal').fill('https://app.example.com/settings');
    tab.expectRefusal('/api/v1/event-webhooks/portal-links');
    await form.getByRole('button', { name: 'Create link' }).click();
    await form.getByRole('alert').getByText('Each origin has the form').waitFor();
    await console.inspect(tab, 'create-portal-link');
    await form.getByLabel('Pages that may embed the portal').fill('https://app.example.com\nhttps://www.example.com');
    await form.getByRole('button', { name: 'Create link' }).click();
    const shown = page.getByRole('dialog', { name: 'Portal link' });
    await shown.getByText(/expires at \d\d:\d\d \(\d\d:\d\d UTC\)/).waitFor();
    const url = await shown.getByText(/\/portal\/.+#stw_ptl_/).innerText();
    await console.inspect(tab, 'portal-link');
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await shown.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(new URL(url).hash);

    const portal = await (await console.visit()).open(`${new URL(url).pathname}${new URL(url).hash}`);
    await portal.page.getByRole('heading', { name: 'https://receiver.example.com/hook' }).waitFor();
    portal.expectRefusal(ENDPOINTS);

    await page.getByRole('link', { name: 'Portal links' }).click();
    const row = page.getByRole('table', { name: 'Portal links' }).getByRole('row', { name: /^customer-4711/ });
    await row.getByText('https://app.example.com, https://www.example.com').waitFor();
    await row.getByText(/in \d\d minutes/).waitFor();
    await console.inspect(tab, 'portal-links');
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click();
    await page.getByText('No portal link is in use.').waitFor();
    await portal.page.getByText('This link has expired or was revoked.').waitFor();
  });
});
