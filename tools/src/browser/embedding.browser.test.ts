import type { Api } from '../demo/api.ts';
import { PASSWORD } from '../e2e/register-owner.ts';
import { countRows } from './count-rows.ts';
import { addPerson, openAsOwner, openDialog, registerPerson, signIn } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
const SETTING = '/api/v1/runtime-sessions/settings/embedding';
const countSearches = (api: Api): Promise<number> => countRows(api, '/api/v1/audit-log?resource_type=session_search');

describe('the embedding setting in the console', () => {
  it('shows a refusal next to its field, and refetches the current search once after saving (CON-10, WEB-19)', async () => {
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

  it('can be read but not changed without the permission (WEB-20)', async () => {
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

describe('the model for titles in the console', () => {
  const TITLES = '/api/v1/runtime-sessions/settings/titles';

  it('can be chosen among enabled models, and removed; a refusal is shown next to its field', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    const model = { provider: 'openai', base_url: 'https://models.example.test/v1', api_key: 'k' };
    for (const [alias, name, enabled] of [
      ['namer', 'gpt-5.4', true],
      ['vectors', 'text-embedding-3-small', true],
      ['off', 'gpt-5.4', false],
    ] as const) {
      const { status } = await api.call('POST', '/api/v1/ai-models', {
        body: { ...model, alias, model_identifier: name, enabled },
      });
      expect(status).toBe(201);
    }
    const tab = await (await console.visit()).open('/settings/search');
    tab.expectRefusal(TITLES);
    const { page } = tab;
    await signIn(page, username);
    const part = page.getByRole('region', { name: 'Titles of sessions' });
    const choice = part.getByLabel('Titles by');
    await choice.waitFor();
    expect(await choice.getByRole('option').allTextContents()).toEqual([
      'First words of the session',
      'vectors',
      'namer',
    ]);
    const save = part.getByRole('button', { name: 'Use for titles' });
    await choice.selectOption('vectors');
    await save.click();
    await part.getByText('names an embedding model').waitFor();
    expect(await choice.getAttribute('aria-invalid')).toBe('true');
    await choice.selectOption('namer');
    await save.click();
    await part.getByText('The model namer now generates titles for sessions without a title.').waitFor();
    await console.inspect(tab, 'title-model');
    expect((await api.call('GET', TITLES)).body).toEqual({ title_model: 'namer', title_model_enabled: true });
    await choice.selectOption('');
    await save.click();
    await part.getByText('New titles are now the first words of the session.').waitFor();
    expect((await api.call('GET', TITLES)).body.title_model).toBeNull();
  });
});

describe('search grants of agents in the console', () => {
  const GRANTS = '/api/v1/session-search/grants';

  it('can be given to one agent or to all agents, are refused for an unknown key, and can be removed (SRCH-60)', async () => {
    const tab = await openAsOwner(console, '/settings/search');
    const { page, api } = tab;
    const part = page.getByRole('region', { name: 'Agent searches' });
    await part.getByText('No grants yet').waitFor();
    const form = await openDialog(page, 'Add grant');
    await form.getByLabel('For').selectOption('api_key');
    await form.getByLabel('Id').fill('019a0000-0000-7000-8000-000000000000');
    tab.expectRefusal(GRANTS);
    await form.getByRole('button', { name: 'Save grant' }).click();
    await form.getByRole('alert').waitFor();
    await console.inspect(tab, 'add-search-grant');
    await form.getByLabel('For').selectOption('managed_agent');
    await form.getByLabel('Id').fill('reviewer');
    await form.getByRole('button', { name: 'Save grant' }).click();
    const table = part.getByRole('table', { name: 'Grants' });
    await table.getByRole('row', { name: /Agent reviewer may search/ }).waitFor();
    const all = await openDialog(page, 'Add grant');
    await all.getByLabel('For').selectOption('account');
    await all.getByLabel('All sessions').selectOption('no');
    await all.getByRole('button', { name: 'Save grant' }).click();
    await table.getByRole('row', { name: /All agents of the account may not search/ }).waitFor();
    await console.inspect(tab, 'search-grants');
    await table
      .getByRole('row', { name: /reviewer/ })
      .getByRole('button', { name: 'Remove grant' })
      .click();
    await table.getByText('reviewer').waitFor({ state: 'detached' });
    expect((await api.call('GET', GRANTS)).body.grants).toMatchObject([
      { subject_type: 'account', session_search_account_scope: false },
    ]);
  });
});
