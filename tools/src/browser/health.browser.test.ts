import { releaseAfterAll } from '@steward/testing';
import { connectClient } from '../servers/connect-client.ts';
import { openAsOwner, registerPerson } from './sign-in.ts';
import { useConsole } from './use-console.ts';

/** A deployment of its own, because figures are only shown while it has one account. */
const console = useConsole({ SERVICE_EDITION: 'oss' });

describe('the health of the deployment, in the console (CON-33)', () => {
  const release = releaseAfterAll();
  it('is shown to its operators with what to do and the runbook, and to nobody once there are several accounts', async () => {
    const tab = await openAsOwner(console, '/settings/account');
    const { page, api } = tab;
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Health' }).click();
    const queues = page.getByRole('table', { name: 'Queues' });
    const executions = queues.getByRole('row').filter({ hasText: 'Executions of flows' });
    await executions.getByText('In time').waitFor();
    await page.getByText('All queues are processed in time, and no required app is missing.').waitFor();
    await page.getByRole('table', { name: 'Apps' }).getByText('webhook-dispatcher').waitFor();
    await page.getByRole('table', { name: 'Messages' }).getByText('event-emitted').waitFor();
    await page.getByText(/ connections of the server/).waitFor();
    await console.inspect(tab, 'health');

    // While the worker does not respond, executions wait.
    const worker = console.suite().readPid('flow-trigger') ?? 0;
    process.kill(worker, 'SIGSTOP');
    release(() => void process.kill(worker, 'SIGCONT'));
    const accountId = String((await api.call('GET', '/api/v1/users/me')).body.account_id);
    const client = await connectClient(console.suite().database.url);
    await client.query(
      `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, created_at)
       values (gen_random_uuid(), $1, gen_random_uuid(), 'nightly', 'PENDING', 'manual', '{}', now() - interval '1 hour')`,
      [accountId],
    );
    release(async () => {
      await client.query('delete from flows.execution where account_id = $1', [accountId]);
      await client.end();
    });
    await executions.getByText('Late').waitFor();
    const advice = page.getByText('Executions of flows: the oldest item is late.');
    await advice.getByRole('link', { name: 'Runbook: lost worker' }).click();
    const runbook = page.getByRole('complementary', { name: 'Runbook' });
    await runbook.getByText('# A worker is lost').waitFor();
    await console.inspect(tab, 'health-late');

    await registerPerson(console.suite().api);
    tab.expectRefusal('/api/v1/deployment/health');
    await page.reload();
    await page.getByText(/Only users of an account that operates this deployment/).waitFor();
    await page.getByRole('link', { name: 'Account' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Health' }).count()).toBe(0);
  });
});
