import { PASSWORD } from '../e2e/register-owner.ts';
import { registerPerson, signIn } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
const register = () => registerPerson(console.suite().api);
describe('signing in to the console', () => {
  it('is required first, and its screen is accessible (WEB-1, WEB-47)', async () => {
    const tab = await (await console.visit()).open('/');
    await tab.page.getByRole('heading', { name: 'Sign in to Steward' }).waitFor();
    const policy = (await tab.page.reload())?.headers()['content-security-policy'];
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe-');
    await console.inspect(tab, 'sign-in');
  });

  it('creates an account and offers demo data, which can then be found', async () => {
    const tab = await (await console.visit()).open('/login');
    const { page } = tab;
    await page.getByRole('link', { name: 'Create the first account' }).click();
    await page.getByLabel('Username').fill('newcomer');
    await page.getByLabel('Email').fill('newcomer@example.test');
    await page.getByLabel('Password').fill(PASSWORD);
    await console.inspect(tab, 'register');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Welcome to Steward' }).waitFor();
    await console.inspect(tab, 'welcome');
    await page.getByRole('button', { name: 'Load demo data' }).click();
    await page.getByRole('list', { name: 'Sessions found' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('"quoted field is never closed"');
    await page.locator('mark', { hasText: 'quoted' }).first().waitFor();
    await console.inspect(tab, 'search');
  });

  it('shows the same message for a wrong name and a wrong password (WEB-3)', async () => {
    const { username } = await register();
    const tab = await (await console.visit()).open('/login');
    const { page } = tab;
    for (const name of [username, 'nobody-of-this-name']) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/auth/session'));
      await signIn(page, name, 'not the password');
      expect((await answered).status()).toBe(401);
      expect(await page.getByRole('alert').innerText()).toBe('Error: The username or password is wrong.');
    }
    expect(await page.getByLabel('Username or email').inputValue()).toBe('nobody-of-this-name');
  });

  it('continues to the requested screen, and to no other address (CON-8, WEB-7)', async () => {
    const { username } = await register();
    const visitor = await console.visit();
    const { page } = await visitor.open('/search?q=%22exit+code%22');
    await signIn(page, username);
    await page.getByRole('searchbox', { name: 'Search session content' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('"exit code"');
    const { page: second } = await (await console.visit()).open('/login?next=//evil.test/');
    await signIn(second, username);
    await second.waitForURL(`${console.suite().url}/search`);
  });

  it('is required again as soon as the login is ended (CON-9)', async () => {
    const { page } = await (await console.visit()).open('/login');
    await signIn(page, (await register()).username);
    await page.getByRole('heading', { name: 'Search sessions' }).waitFor();
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Steward' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in to Steward' }).waitFor();
  });

  it('survives a reload and a second tab, and its credential cannot be read by scripts (CON-7, CON-9, WEB-4, WEB-6)', async () => {
    const visitor = await console.visit();
    const { page } = await visitor.open('/login');
    await signIn(page, (await register()).username);
    await page.getByRole('searchbox', { name: 'Search session content' }).waitFor();
    await page.goto(`${console.suite().url}/search?q=words`);
    await page.reload();
    await page.getByRole('searchbox', { name: 'Search session content' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('words');
    const { page: second } = await visitor.open('/search');
    await second.getByRole('searchbox', { name: 'Search session content' }).waitFor();
    const seen = await page.evaluate(
      `[document.cookie, ...Object.values(localStorage), ...Object.values(sessionStorage)].join()`,
    );
    expect(seen).not.toMatch(/stw_|eyJ/);
    const [cookie] = await page.context().cookies(`${console.suite().url}/api/v1/auth/session/refresh`);
    expect(cookie).toMatchObject({
      name: 'steward_session',
      httpOnly: true,
      sameSite: 'Strict',
      path: '/api/v1/auth/session',
    });
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await second.getByRole('heading', { name: 'Sign in to Steward' }).waitFor();
    expect(await page.context().cookies(`${console.suite().url}/api/v1/auth/session`)).toEqual([]);
  });
});
