import type { Api } from '../demo/api.ts';
import { PASSWORD } from '../e2e/register-owner.ts';
import { countRows } from './count-rows.ts';
import { addPerson, registerPerson, signIn } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
const SETTING = '/api/v1/runtime-sessions/settings/embedding';
const countSearches = (api: Api): Promise<number> => countRows(api, '/api/v1/audit-log?resource_type=session_search');

describe('the embedding setting in the console', () => {
  it('is refused at its field, and once saved the search on screen is asked again, once (CON-10, WEB-19)', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    const tab = await (await console.visit()).open('/search?q=hippopotamus');
    tab.expectRefusal(SETTING);
    const { page } = tab;
    await signIn(page, username);
    await page.getByText('0 sessions').waitFor();
    await page.getByRole('button', { name: 'Embedding settings' }).click();
    const panel = page.getByRole('complementary', { name: 'Embedding settings' });
    await panel.getByLabel('Semantic search').check();
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByRole('alert').waitFor();
    expect(await panel.getByLabel('Model').getAttribute('aria-invalid')).toBe('true');
    await console.inspect(tab, 'embedding-refused');
    expect(await countSearches(api)).toBe(1);
    await panel.getByLabel('Model').fill('text-embedding-3-small');
    await panel.getByLabel('Endpoint').fill('https://embeddings.example.test/v1');
    const asked = page.waitForResponse((response) => response.url().endsWith('/runtime-sessions/search'));
    await panel.getByLabel('Endpoint').press('Enter');
    await panel.getByRole('status').getByText('Saved').waitFor();
    await asked;
    await panel.getByLabel('Endpoint').blur();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    expect([new URL(page.url()).search, await countSearches(api)]).toEqual(['?q=hippopotamus', 2]);
    expect((await api.call('GET', SETTING)).body).toMatchObject({ enabled: true, scope: 'summaries_only' });
  });

  it('can be read, and not changed, by who may not (WEB-20)', async () => {
    const { api } = await registerPerson(console.suite().api);
    const username = await addPerson(api, 'viewer');
    const tab = await (await console.visit()).open('/settings/search');
    const { page } = tab;
    await signIn(page, username, PASSWORD);
    await page.getByText('changing it needs the permission manage_budgets').waitFor();
    expect(await page.getByLabel('Model').isDisabled()).toBe(true);
    await page.getByRole('button', { name: /^Save .*needs the permission manage_budgets/ }).waitFor();
    await console.inspect(tab, 'embedding');
  });
});
