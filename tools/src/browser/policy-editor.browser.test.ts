import type { Page } from 'playwright-core';
import { eventually, scaleLimit } from '@steward/testing';
import { requireStatus, type Api } from '../demo/api.ts';
import { findPolicyText, readPolicyText, writePolicyText } from './policy-text.ts';
import { openAsOwner } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();

const BEGIN = `version: "1"
rules:
  - id: ask-before-shell
    description: People decide what runs
    match: { tools: [`;
const RULE = `${BEGIN}local/run_shell] }
    action: require_approval`;

/** Records two shell commands and one read file. */
async function recordCalls(api: Api): Promise<void> {
  const session = await requireStatus(
    201,
    api.call('POST', '/api/v1/runtime-sessions', {
      body: { session_source_type: 'coding_agent', session_source_id: 'run-1' },
    }),
  );
  for (const name of ['run_shell', 'read_file', 'run_shell']) {
    const body = { tool_name: name, arguments: { of: name }, result: 'done', status: 'success' };
    await requireStatus(201, api.call('POST', `/api/v1/runtime-sessions/${String(session.id)}/tool-calls`, { body }));
  }
}

/** Chooses an option of the completion with the keyboard. */
async function take(page: Page, name: string): Promise<void> {
  await page.getByRole('option', { name, exact: true }).and(page.locator('[aria-selected=true]')).waitFor();
  await page.keyboard.press('Enter');
}

describe('writing a rule, seeing what it would have done last week, and switching it on (CON-18)', () => {
  it.each([1280, 360])(
    'works by keyboard with completion in a window of %d pixels',
    async (width) => {
      const tab = await openAsOwner(console, '/policies');
      const { page, api } = tab;
      await page.setViewportSize({ width, height: 800 });
      await recordCalls(api);

      await writePolicyText(page, BEGIN);
      await page.keyboard.type('run_sh');
      await take(page, 'local/run_shell');
      await page.keyboard.insertText('] }\n    ');
      await page.keyboard.type('act');
      await take(page, 'action');
      await page.keyboard.type('req');
      await take(page, 'require_approval');
      expect(await readPolicyText(page)).toBe(RULE);
      await page.getByText('The document is valid.').waitFor();
      // Tab leaves the editor, so that keyboard users are not trapped in it.
      await page.keyboard.press('Tab');
      expect(await findPolicyText(page).and(page.locator(':focus')).count()).toBe(0);

      const past = page.getByRole('region', { name: 'Test against past calls' });
      await past.getByRole('button', { name: 'Run backtest' }).press('Enter');
      await past.getByText('3 calls: 1 allowed, 0 denied, 2 need approval; 2 would be decided differently').waitFor();
      const decisions = past.getByRole('table', { name: 'Decisions' });
      await decisions.getByRole('row', { name: 'Allowed 3 1' }).waitFor();
      await decisions.getByRole('row', { name: 'Needs approval 0 2' }).waitFor();
      const rules = past.getByRole('table', { name: 'Calls by rule' });
      await rules.getByRole('row', { name: 'ask-before-shell 0 2 2' }).waitFor();
      await rules.getByRole('row', { name: 'Default 3 1 0' }).waitFor();
      await console.inspect(tab, `policy-backtest-${width}`);
      await page.setViewportSize({ width, height: 800 });

      const examples = past.getByRole('table', { name: 'Decided differently' });
      await examples
        .getByRole('row', { name: /run_shell .*Newly needs approval/ })
        .first()
        .waitFor();
      await examples.getByRole('link', { name: 'run_shell' }).first().press('Enter');
      await page.waitForURL(/\/sessions\/[-0-9a-f]+\?at=/);
      await page.getByRole('heading', { name: 'coding_agent run-1' }).waitFor();
      await page.goBack();
      // Opening a call discards neither the text nor its backtest.
      await past.getByText('3 calls: 1 allowed').waitFor();
      expect(await readPolicyText(page)).toBe(RULE);

      await page.getByRole('button', { name: 'Review and apply' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Apply the policy' });
      await dialog.getByText('Backtest: 2 of 3 past calls would have been decided differently.').waitFor();
      await dialog.getByRole('list', { name: 'Changes' }).getByText('added rules/ask-before-shell').waitFor();
      await dialog.getByRole('button', { name: 'Apply' }).press('Enter');
      await page.getByText('Version 1 is in force').waitFor();
      expect((await api.call('GET', '/api/v1/policies')).body).toMatchObject({ version: 1, text: RULE });
    },
    scaleLimit(300_000),
  );

  it('underlines what is wrong at its place, and says that a changed text is not the one that was tested', async () => {
    const tab = await openAsOwner(console, '/policies');
    const { page, api } = tab;
    await recordCalls(api);
    await writePolicyText(page, RULE.replace('require_approval', 'block'));
    const marked = findPolicyText(page).locator('.cm-lintRange-error');
    await marked.filter({ hasText: 'block' }).waitFor();
    expect(await findPolicyText(page).getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('list', { name: 'Problems' }).getByText('The value must be one of').waitFor();
    await page.getByRole('button', { name: 'Run backtest' }).and(page.locator('[aria-disabled=true]')).waitFor();
    await console.inspect(tab, 'policy-errors');

    await writePolicyText(page, RULE);
    await eventually(async () => (await marked.count()) === 0);
    await page.keyboard.insertText('\n    ');
    await page.keyboard.press('Control+Space');
    // Keys that the rule has already are not offered again.
    await page.getByRole('option', { name: 'condition' }).waitFor();
    expect(await page.getByRole('option', { name: 'action' }).count()).toBe(0);
    await console.inspect(tab, 'policy-completion');
    await page.getByRole('option', { name: 'condition' }).click();
    await page.keyboard.type('tool.na');
    await take(page, 'name');
    await page.keyboard.insertText(" == 'x'");
    expect(await readPolicyText(page)).toBe(`${RULE}\n    condition: tool.name == 'x'`);
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: 'Find' }).fill('action');
    await console.inspect(tab, 'policy-find');
    await page.keyboard.press('Escape');

    await writePolicyText(page, RULE);
    await page.getByRole('button', { name: 'Run backtest' }).click();
    await page.getByText('3 calls: 1 allowed, 0 denied, 2 need approval').waitFor();
    await page.getByRole('button', { name: 'ask-before-shell' }).click();
    // The cursor is at the beginning of the rule.
    await page.keyboard.insertText('  # Shells\n');
    expect((await readPolicyText(page)).split('\n')[2]).toBe('  # Shells');
    await page.getByText('The document has changed since this backtest.').waitFor();
    await page.getByRole('button', { name: 'Undo all changes' }).click();
    await eventually(async () => !(await readPolicyText(page)).includes('ask-before-shell'));
  });
});
