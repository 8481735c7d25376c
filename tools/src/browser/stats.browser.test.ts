import { requireStatus } from '../demo/api.ts';
import { addPerson, openAsOwner, signIn } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();

const open = (path: string) => openAsOwner(console, path);

/** Creates sessions from two sources, and a delivery that no receiver accepted. */
async function storeSessions({ api }: Pick<Awaited<ReturnType<typeof open>>, 'api'>) {
  for (const [source, id] of [
    ['claude_code', 'one'],
    ['claude_code', 'two'],
    ['codex', 'three'],
  ])
    await requireStatus(
      201,
      api.call('POST', '/api/v1/runtime-sessions', { body: { session_source_type: source, session_source_id: id } }),
    );
}

describe('the overview (CON-28)', () => {
  it('suggests next steps in an empty account', async () => {
    const tab = await open('/overview');
    await tab.page.getByText('Nothing needs attention.').waitFor();
    await tab.page.getByText('No session started in this period.').waitFor();
    await console.inspect(tab, 'overview-empty');
  });

  it('shows figures compared with the previous period, and charts with their tables', async () => {
    const tab = await open('/overview');
    const { page } = tab;
    await page.getByText('Nothing needs attention.').waitFor();
    await storeSessions(tab);
    await page.reload();
    const card = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: 'Sessions started', exact: true }) });
    await card.getByText('3', { exact: true }).waitFor();
    await page.getByRole('img', { name: 'Sessions started: 3, as a chart' }).waitFor();
    const figure = page.getByRole('region', { name: 'Sessions started by source' });
    await figure.getByText('claude_code').waitFor();
    await figure.getByText('Values of this chart').click();
    await figure.getByRole('columnheader', { name: 'codex' }).waitFor();
    await figure.getByRole('row').nth(1).getByRole('cell', { name: '2', exact: true }).waitFor();
    await page.getByRole('link', { name: '30 days' }).click();
    await page.waitForURL(/range=30d/);
    await card.getByText('3', { exact: true }).waitFor();
    await figure.getByRole('columnheader', { name: 'Day' }).waitFor();
    await console.inspect(tab, 'overview');
  });

  it('links a figure to its chart, and a group to its rows', async () => {
    const tab = await open('/overview');
    const { page } = tab;
    await storeSessions(tab);
    await page.getByRole('link', { name: 'Sessions started', exact: true }).click();
    await page.getByRole('list', { name: 'Source, most first' }).getByText('codex').waitFor();
    await console.inspect(tab, 'charts');
    await page.getByLabel('Chart of').selectOption({ label: 'Search corpus (chunks)' });
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/of=search_corpus/);
    await page.getByRole('heading', { name: 'Search corpus (chunks) by kind of content' }).waitFor();
  });

  it('shows only what the user may read', async () => {
    const owner = await open('/overview');
    const username = await addPerson(owner.api, 'tracker_manager');
    const tab = await (await console.visit()).open('/overview');
    await signIn(tab.page, username);
    await tab.page.getByRole('heading', { name: 'Executions by result' }).waitFor();
    expect(await tab.page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Executions by result']);
  });
});
