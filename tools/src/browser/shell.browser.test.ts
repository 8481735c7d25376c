import type { Locator, Page } from 'playwright-core';
import { createHook } from '../e2e/create-hook.ts';
import { PASSWORD } from '../e2e/register-owner.ts';
import { goByKeys } from './go-by-keys.ts';
import { listBarriers } from './list-barriers.ts';
import { openAsOwner, registerPerson, signIn } from './sign-in.ts';
import { keepPicture, useConsole } from './use-console.ts';

const console = useConsole();
const FLOWS = '/api/v1/flows';
const FLOW = { prompt: 'x', command: 'true' };

describe('all screens of the console', () => {
  it('show a banner while the service does not respond; afterwards it disappears and lists are refetched (CON-14, WEB-43)', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    await createHook(api, { name: 'before', ...FLOW });
    const visitor = await console.visit();
    const tab = await visitor.open('/flows');
    const { page } = tab;
    for (const path of [FLOWS, '/api/v1/livez', '/api/v1/users/me']) tab.expectRefusal(path);
    await signIn(page, username);
    await page.getByRole('link', { name: 'before' }).waitFor();
    await visitor.context.setOffline(true);
    await page.getByText('Connection lost').waitFor();
    await page.getByRole('link', { name: 'before' }).waitFor();
    await console.inspect(tab, 'connection-lost');
    await createHook(api, { name: 'meanwhile', ...FLOW });
    await visitor.context.setOffline(false);
    await page.getByRole('link', { name: 'meanwhile' }).waitFor();
    await page.getByText('Connection lost').waitFor({ state: 'hidden' });
  });

  it('return a user to the requested screen after a new login', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    const tab = await (await console.visit()).open('/search');
    const { page } = tab;
    for (const path of [FLOWS, '/api/v1/users/me']) tab.expectRefusal(path);
    // The background requests of the page are blocked, so that none of them detects it before the user's action.
    await page.route('**/api/v1/overview', () => undefined);
    await signIn(page, username);
    await page.getByRole('heading', { name: 'Search sessions' }).waitFor();
    await api.call('POST', '/api/v1/auth/sessions/revoke-all', { body: {} });
    await page.getByRole('link', { name: 'Flows' }).click();
    await page.getByRole('heading', { name: 'Sign in to Steward' }).waitFor();
    await signIn(page, username);
    await page.getByRole('heading', { name: 'Flows' }).waitFor();
  });

  it('show no data of one account to a user of another, even after going back (CON-9, WEB-48)', async () => {
    const first = await registerPerson(console.suite().api);
    const other = await registerPerson(console.suite().api);
    await createHook(first.api, { name: 'of the first', ...FLOW });
    await createHook(other.api, { name: 'of the other', ...FLOW });
    const { page } = await (await console.visit()).open('/flows');
    await signIn(page, first.username);
    await page.getByRole('link', { name: 'of the first' }).waitFor();
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Steward' }).waitFor();
    await page.evaluate(`new MutationObserver(() => {
      if (document.body?.textContent.includes('of the first')) globalThis.sawTheFirst = true;
    }).observe(document, { childList: true, subtree: true, characterData: true })`);
    await signIn(page, other.username);
    await page.getByRole('link', { name: 'Flows' }).click();
    await page.getByRole('link', { name: 'of the other' }).waitFor();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'of the other' }).waitFor();
    expect(await page.evaluate('globalThis.sawTheFirst ?? false')).toBe(false);
  });

  it('collapse the navigation behind a menu button in a narrow window, and can be used by keyboard (CON-22, WEB-11)', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    await createHook(api, { name: 'nightly', ...FLOW });
    const tab = await (await console.visit()).open('/login');
    const { page } = tab;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('Username or email').fill(username);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search sessions' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
    await tabTo(page, page.getByRole('button', { name: 'Menu', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await keepPicture(page, 'menu-narrow');
    expect(await listBarriers(page)).toEqual([]);
    await tabTo(page, page.getByRole('link', { name: 'Flows' }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Flows' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'hidden' });
    await tabTo(page, page.getByRole('link', { name: 'nightly' }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'nightly' }).waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Run flow' }));
    await page.keyboard.press('Enter');
    await page.getByText('✓ Succeeded').waitFor();
  });

  it('reload once if the files of the page’s build are no longer available (CON-5, WEB-44)', async () => {
    const tab = await openAsOwner(console, '/search');
    const { page } = tab;
    await page.getByRole('heading', { name: 'Search sessions' }).waitFor();
    let gone = '';
    await page.route(/\/assets\/budgets-screen-.*\.js$/, (route) => {
      const isFirst = gone === '';
      gone = new URL(route.request().url()).pathname;
      tab.expectRefusal(gone);
      return isFirst ? route.fulfill({ status: 404, json: {} }) : route.continue();
    });
    await page.getByRole('link', { name: 'Budgets' }).click();
    await page.getByText('No budgets yet.').waitFor();
    expect(gone).not.toBe('');
  });

  it('list their shortcuts, can be found by name, and report if no screen matches (CON-25, WEB-9, WEB-10)', async () => {
    const tab = await openAsOwner(console, '/search');
    const { page } = tab;
    const button = page.getByRole('button', { name: 'Keyboard shortcuts' });
    await button.click();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await console.inspect(tab, 'keys');
    await page.keyboard.press('Escape');
    await page.locator(':focus').and(button).waitFor();
    const theSwitch = page.getByRole('checkbox', { name: /^Enable shortcuts without Ctrl/ });
    await button.click();
    await theSwitch.uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await page.reload();
    await page.getByRole('heading', { name: 'Search sessions' }).waitFor();
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await button.click();
    await theSwitch.check();
    await page.keyboard.press('Escape');
    await goByKeys(page, 'gf', page.getByRole('heading', { name: 'Flows' }));
    await goByKeys(page, 'gb', page.getByRole('heading', { name: 'Budgets' }));
    await page.getByRole('button', { name: 'Add budget' }).click();
    const first = page.getByRole('dialog', { name: 'Add budget' }).getByLabel('Of', { exact: true });
    await page.locator(':focus').and(first).waitFor();
    await page.getByRole('dialog', { name: 'Add budget' }).getByLabel('Limit in US dollars').fill('5');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('table', { name: 'Budgets' }).getByText('$0.00 of $5.00').waitFor();
    await page.keyboard.press('Control+k');
    await page
      .locator(':focus')
      .and(page.getByRole('combobox', { name: 'Search or jump to' }))
      .waitFor();
    await page.keyboard.type('dead');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Dead letters' }).waitFor();
    await page.goto(`${console.suite().url}/flows/new/nothing`);
    await page.getByText('There is no page at this address.').waitFor();
    await console.inspect(tab, 'no-screen');
  });

  it('remain signed in after a single refresh when the token expires (WEB-8)', async () => {
    const { username } = await registerPerson(console.suite().api);
    const visitor = await console.visit();
    const { page } = await visitor.open('/login');
    await page.clock.install();
    await page.reload();
    await signIn(page, username);
    await page.getByRole('heading', { name: 'Search sessions' }).waitFor();
    const refreshed = page.waitForResponse((response) => response.url().endsWith('/auth/session/refresh'));
    await page.clock.fastForward('08:01');
    expect((await refreshed).status()).toBe(200);
    await page.getByRole('link', { name: 'Flows' }).click();
    await page.getByText('No flows yet').waitFor();
  });
});

/** Navigates with the keyboard, checking that the focus remains visible. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < 60; step += 1) {
    if ((await page.locator(':focus').and(target).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`nobody gets to ${String(target)} by Tab`);
}
