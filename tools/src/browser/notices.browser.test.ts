import { startHttpReceiver } from '@steward/testing';
import { openAsOwner, openDialog } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const slack = await startHttpReceiver((_request, response, index) =>
  index === 0 ? void response.writeHead(404).end('no_service') : void response.writeHead(200).end('ok'),
);
afterAll(() => slack.close());

const console = useConsole();

describe('notice channels in the console', () => {
  it('are added, tested with the answer of their service in view, changed and deleted (CON-36)', async () => {
    const tab = await openAsOwner(console, '/event-webhooks/notices');
    const { page, api } = tab;
    await page.getByText('No channels yet.').waitFor();
    const form = await openDialog(page, 'Add channel');
    await form.getByLabel('URL').fill(`${slack.url}/services/T0/B0/x`);
    await form.getByLabel('Description').fill('#agents');
    await form.getByLabel('A budget reached a threshold').uncheck();
    await console.inspect(tab, 'add-channel');
    await form.getByRole('button', { name: 'Add channel' }).click();
    const row = page.getByRole('table', { name: 'Notices' }).getByRole('row', { name: /^Slack #agents/ });
    await row.getByText('A budget is used up').waitFor();
    await row.getByRole('button', { name: 'Send test notice' }).click();
    await row.getByText('The test notice was not accepted: HTTP 404: no_service.').waitFor();
    await console.inspect(tab, 'notices');
    await row.getByRole('button', { name: 'Send test notice' }).click();
    await row.getByText('The channel accepted the test notice.').waitFor();
    const edit = await openDialog(page, 'Edit');
    await edit.getByLabel('A call was denied').check();
    await edit.getByRole('button', { name: 'Save channel' }).click();
    await row.getByText('A call was denied').waitFor();
    const { items } = (await api.call('GET', '/api/v1/notice-channels')).body as unknown as { items: object[] };
    expect(items).toMatchObject([
      {
        kind: 'slack',
        notices: ['approval.created', 'budget.exceeded', 'webhook.endpoint_failing', 'policy.denied'],
      },
    ]);
    const remove = await openDialog(page, 'Delete');
    await remove.getByRole('button', { name: 'Delete channel' }).click();
    await page.getByText('No channels yet.').waitFor();
  });
});
