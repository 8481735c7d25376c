import { eventually } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { countRows } from './count-rows.ts';
import { goByKeys } from './go-by-keys.ts';
import { registerPerson, signIn } from './sign-in.ts';
import { useConsole, type Tab } from './use-console.ts';

const console = useConsole();
const MARKUP = '<img src=x onerror=alert(1)>';

/** Opens a path as a signed-in user with one session. */
async function open(path: string): Promise<Tab & { readonly api: Api; readonly sessionId: string }> {
  const { api, username } = await registerPerson(console.suite().api);
  const session = await api.call('POST', '/api/v1/runtime-sessions', {
    body: { session_source_type: 'test', session_source_id: 'run-1', title: `Fixing a test ${MARKUP}` },
  });
  const sessionId = String(session.body.id);
  for (const [tool_name, result] of [
    ['read_file', '<script>alert("stored")</script> exit code 404'],
    ['bash', '2 passed, 1 failed'],
    ['write_file', 'word '.repeat(10_000)],
  ])
    await api.call('POST', `/api/v1/runtime-sessions/${sessionId}/tool-calls`, {
      body: { tool_name, arguments: { command: 'npm test' }, result, status: 'ok' },
    });
  const tab = await (await console.visit()).open(path);
  await signIn(tab.page, username);
  return { ...tab, api, sessionId };
}

const countSearches = (api: Api): Promise<number> => countRows(api, '/api/v1/audit-log?resource_type=session_search');

describe('searching in the console', () => {
  it('finds a session, highlights the words, and links to their position (WEB-12, WEB-13, WEB-18)', async () => {
    const tab = await open('/search');
    const { page, sessionId } = tab;
    await page.getByRole('searchbox', { name: 'Search session content' }).fill('"1 failed" -skipped');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const found = page.getByRole('list', { name: 'Sessions found' });
    await found.getByRole('link', { name: `Fixing a test ${MARKUP}` }).waitFor();
    expect(await page.getByRole('status').first().innerText()).toBe('1 session');
    expect(await found.locator('mark').allInnerTexts()).toEqual(expect.arrayContaining(['failed']));
    expect(new URL(page.url()).searchParams.get('q')).toBe('"1 failed" -skipped');
    await console.inspect(tab, 'search');
    await found.getByRole('link', { name: `Fixing a test ${MARKUP}` }).click();
    await page.getByRole('heading', { name: `Fixing a test ${MARKUP}` }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/sessions/${sessionId}`);
    const meant = page.locator('li[aria-current]');
    await meant.getByText('2 passed, 1 failed').waitFor();
    await page.getByRole('button', { name: 'Show all (46.0 kB more)' }).click();
    await page.getByRole('button', { name: 'Show less' }).waitFor();
    await console.inspect(tab, 'session');
  });

  it('moves between hits by keyboard, without searching again (CON-16, WEB-18)', async () => {
    const { page, api } = await open('/search?q=test');
    const found = page.getByRole('list', { name: 'Sessions found' });
    await found.getByRole('link', { name: `Fixing a test ${MARKUP}` }).click();
    await page.getByRole('button', { name: 'Next hit' }).waitFor();
    const first = page.url();
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.href !== first);
    await page.locator('li[aria-current]').waitFor();
    // Keyboard navigation starts at the selected entry, which appears after the URL has changed.
    await eventually(async () => {
      await page.keyboard.press('k');
      await page.waitForURL(first, { timeout: 5000 });
      return true;
    });
    expect(await countSearches(api)).toBe(1);
  });

  it.each(['404', '"exit code"'])('searches %s from a URL, once (CON-10, WEB-15)', async (q) => {
    const { page, api } = await open(`/search?q=${encodeURIComponent(q)}`);
    await page.getByRole('list', { name: 'Sessions found' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe(q);
    expect(await countSearches(api)).toBe(1);
  });

  it('records each submitted search once, regardless of how its results are viewed (CON-10, WEB-14, WEB-16, WEB-17, WEB-42)', async () => {
    const { page, api } = await open('/search');
    const box = page.getByRole('searchbox');
    await box.pressSequentially('passed failed');
    expect(await countSearches(api)).toBe(0);
    await box.press('Enter');
    await page.getByRole('list', { name: 'Sessions found' }).waitFor();
    await box.fill('hippopotamus');
    await box.press('Enter');
    await page.getByText('0 sessions').waitFor();
    await page.getByText('Only exact word forms match').waitFor();
    await page.getByRole('link', { name: 'deploy*' }).waitFor();
    await page.goBack();
    await page.getByRole('list', { name: 'Sessions found' }).waitFor();
    expect(await box.inputValue()).toBe('passed failed');
    await page.goForward();
    await page.getByText('0 sessions').waitFor();
    expect(await countSearches(api)).toBe(2);
    await page.reload();
    await page.getByText('0 sessions').waitFor();
    expect(await countSearches(api)).toBe(3);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByLabel('Action').fill('query');
    await page.getByLabel('Outcome').selectOption('success');
    await page.getByRole('button', { name: 'Filter' }).click();
    const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row', { name: /session search/ });
    await rows.nth(2).waitFor();
    await page.getByRole('row', { name: /login/ }).first().waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(3);
    expect(new URL(page.url()).search).toBe('?action=query&status=success');
    expect(await page.content()).not.toContain('hippopotamus');
  });

  it('searches within one session, and filters its entries by kind (CON-23)', async () => {
    const tab = await open('/sessions');
    const { page, api, sessionId } = tab;
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
    await api.call('POST', '/api/v1/runtime-sessions', {
      body: { session_source_type: 'test', session_source_id: 'run-2', title: 'It also failed' },
    });
    await api.call('POST', `/api/v1/runtime-sessions/${sessionId}/transcript`, {
      body: { messages: [{ role: 'user', content: 'What did the person say?' }] },
    });
    await page.goto(`${console.suite().url}/sessions/${sessionId}`);
    await page.getByLabel('Show').selectOption('Messages');
    await page.getByText('Message of user').waitFor();
    await page.getByText('Tool call bash').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?kind=transcript_message');
    await page.getByLabel('Find in this session').fill('failed');
    await page.keyboard.press('Enter');
    const found = page.getByRole('list', { name: 'Sessions found' });
    await found.getByRole('link', { name: 'tool call' }).click();
    await page.locator('li[aria-current]').getByText('2 passed, 1 failed').waitFor();
    expect(await found.getByText('It also failed').count()).toBe(0);
  });

  it('shows an error in a query next to the search box (WEB-16)', async () => {
    const tab = await open('/search?q=-foo');
    tab.expectRefusal('/api/v1/runtime-sessions/search');
    expect(await tab.page.getByRole('alert').innerText()).toMatch(/./);
    await console.inspect(tab, 'search-refused');
  });

  it('can be opened by keyboard from every screen; keys typed in a text box are entered as text (WEB-9)', async () => {
    const tab = await open('/sessions');
    const { page } = tab;
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
    await console.inspect(tab, 'sessions');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await goByKeys(page, 'gs', page.getByRole('heading', { name: 'Search sessions' }));
    await page.keyboard.press('/');
    await page.keyboard.type('gr?');
    expect(await page.getByRole('searchbox').inputValue()).toBe('gr?');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('sess');
    await console.inspect(tab, 'palette');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
  });
});
