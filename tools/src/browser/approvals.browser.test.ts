import type { Api } from '../demo/api.ts';
import { registerPerson, signIn } from './sign-in.ts';
import { useConsole, type Tab } from './use-console.ts';

const console = useConsole();

const POLICY = {
  version: '1',
  rules: [
    { id: 'deploys', description: 'Deploys need approval', match: { tools: ['*/deploy'] }, action: 'require_approval' },
  ],
};

/** Returns the id of a call that is waiting for a decision. */
async function hold(api: Api): Promise<string> {
  await api.call('POST', '/api/v1/approval-workflows', {
    body: { name: 'all', is_default: true, allow_self_approval: true },
  });
  await api.call('POST', '/api/v1/policies/apply', { body: POLICY });
  return ask(api, '2.4.1');
}

async function ask(api: Api, version: string): Promise<string> {
  const { body } = await api.call('POST', '/api/v1/agents/permission-check', {
    body: { tool_name: 'deploy', arguments: { version } },
  });
  return String(body.approval_request_id);
}

async function open(
  path: (requestId: string) => string,
): Promise<Tab & { readonly api: Api; readonly requestId: string }> {
  const { username, api } = await registerPerson(console.suite().api);
  const requestId = await hold(api);
  const tab = await (await console.visit()).open(path(requestId));
  await signIn(tab.page, username);
  return { ...tab, api, requestId };
}

describe('decisions in the console', () => {
  it('show the call, ask for confirmation, and show who decided (WEB-37)', async () => {
    const tab = await open(() => '/approvals');
    const { page, api, requestId } = tab;
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    await console.inspect(tab, 'approvals');
    await page.getByRole('link', { name: /^deploy/ }).click();
    await page.getByText('"version": "2.4.1"').waitFor();
    await console.inspect(tab, 'approval');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByLabel('Comment').fill('go ahead');
    const waiting = await api.call('GET', `/api/v1/approval-requests/${requestId}`);
    expect(waiting.body.status).toBe('pending');
    await page.getByRole('button', { name: 'Approve the call' }).click();
    await page.getByText('Approved by a person. Comment: go ahead').waitFor();
    const decided = await api.call('GET', `/api/v1/approval-requests/${requestId}`);
    expect(decided.body).toMatchObject({ status: 'approved', comment: 'go ahead' });
  });

  it('can decline a request with a comment, which is stored in the history with its author (WEB-37)', async () => {
    const tab = await open((requestId) => `/approvals/${requestId}`);
    const { page, api, requestId } = tab;
    await page.getByRole('button', { name: 'Decline', exact: true }).waitFor();
    await page.keyboard.press('d');
    await page.getByLabel('Comment').fill('not on a Friday');
    await console.inspect(tab, 'decline');
    await page.getByRole('button', { name: 'Decline the call' }).press('Enter');
    await page.getByText('Declined by a person. Comment: not on a Friday').waitFor();
    await page
      .getByRole('list', { name: 'Votes' })
      .getByText(/^person-.*: declined .*not on a Friday/)
      .waitFor();
    const { body } = await api.call('GET', `/api/v1/approval-requests/${requestId}`);
    expect(body).toMatchObject({ status: 'declined', comment: 'not on a Friday' });
  });

  it('apply to several requests at once, and report those that were already decided (CON-26)', async () => {
    const tab = await open(() => '/approvals');
    const { page, api, requestId } = tab;
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    const others = [await ask(api, '2.4.2'), await ask(api, '2.4.3'), await ask(api, '2.4.4')];
    await page.reload();
    await page.getByRole('button', { name: /^Approve selected .*select requests first/ }).waitFor();
    const boxes = page.getByRole('checkbox', { name: /^Select deploy/ });
    await boxes.nth(3).waitFor();
    for (const place of [1, 2, 3]) await boxes.nth(place).check();
    await page.getByRole('button', { name: 'Decline selected' }).click();
    expect(await page.getByRole('list', { name: 'Selected calls' }).getByRole('listitem').count()).toBe(3);
    await page.getByLabel('Comment').fill('not on a Friday');
    await console.inspect(tab, 'decline-several');
    // Another user decides one of the selected requests, the one opened first, in the meantime.
    tab.expectRefusal(`/api/v1/approval-requests/${requestId}/decide`);
    await api.call('POST', `/api/v1/approval-requests/${requestId}/decide`, { body: { decision: 'approve' } });
    await page.getByRole('button', { name: 'Decline 3 calls' }).click();
    await page.getByText('2 calls declined. Already decided, expired or cancelled: 1 call.').waitFor();
    const states = await Promise.all(
      [requestId, ...others].map(async (id) => {
        const { body } = await api.call('GET', `/api/v1/approval-requests/${id}`);
        return [body.status, body.comment];
      }),
    );
    const declined = ['declined', 'not on a Friday'];
    expect(states).toEqual([['approved', null], declined, declined, ['pending', null]]);
  });

  it('show another user’s decision instead of an error (WEB-39)', async () => {
    const tab = await open((requestId) => `/approvals/${requestId}`);
    const { page, api, requestId } = tab;
    tab.expectRefusal(`/api/v1/approval-requests/${requestId}/decide`);
    await page.getByRole('button', { name: 'Decline', exact: true }).click();
    // The page reloads every few seconds; the reload is delayed until the user has responded.
    const looked = Promise.withResolvers<void>();
    let isAnswered = false;
    await page.route(`**/api/v1/approval-requests/${requestId}`, (route) =>
      isAnswered ? route.continue() : looked.resolve(),
    );
    await looked.promise;
    await api.call('POST', `/api/v1/approval-requests/${requestId}/decide`, { body: { decision: 'approve' } });
    isAnswered = true;
    await page.getByRole('button', { name: 'Decline the call' }).click();
    await page.getByText('Approved by a person.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
