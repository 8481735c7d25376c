import { createHook } from '../e2e/create-hook.ts';
import { registerPerson, signIn } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
const FLOWS = '/api/v1/flows';
const FLOW = { prompt: 'x', command: 'true' };

describe('around every screen of the console', () => {
  it('a banner says that the service does not answer, and goes by itself; lists are asked for again (CON-14)', async () => {
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

  it('whose session ended meanwhile signs in again and is where they wanted to go', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    const tab = await (await console.visit()).open('/search');
    const { page } = tab;
    for (const path of [FLOWS, '/api/v1/users/me']) tab.expectRefusal(path);
    await signIn(page, username);
    await page.getByRole('heading', { name: 'Search sessions' }).waitFor();
    await api.call('POST', '/api/v1/auth/sessions/revoke-all', { body: {} });
    await page.getByRole('link', { name: 'Flows' }).click();
    await page.getByRole('heading', { name: 'Sign in to Steward' }).waitFor();
    await signIn(page, username);
    await page.getByRole('heading', { name: 'Flows' }).waitFor();
  });

  it('shows nothing of one account to somebody of another, also not by going back (CON-9)', async () => {
    const first = await registerPerson(console.suite().api);
    const other = await registerPerson(console.suite().api);
    await createHook(first.api, { name: 'of the first', ...FLOW });
    await createHook(other.api, { name: 'of the other', ...FLOW });
    const { page } = await (await console.visit()).open('/flows');
    await page.addInitScript(`new MutationObserver(() => {
      if (document.body?.textContent.includes('of the first')) globalThis.sawTheFirst = true;
    }).observe(document, { childList: true, subtree: true, characterData: true })`);
    await signIn(page, first.username);
    await page.getByRole('link', { name: 'of the first' }).waitFor();
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.reload();
    await signIn(page, other.username);
    await page.getByRole('link', { name: 'of the other' }).waitFor();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'of the other' }).waitFor();
    expect(await page.evaluate('globalThis.sawTheFirst ?? false')).toBe(false);
  });

  it('one refresh keeps a tab going when its token runs out', async () => {
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
    await page.getByText('No flow yet').waitFor();
  });
});
