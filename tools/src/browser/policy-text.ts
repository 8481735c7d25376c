import type { Locator, Page } from 'playwright-core';

/** The editor of a policy. */
export const findPolicyText = (page: Page): Locator => page.getByRole('textbox', { name: 'Policy' });

/** Replaces the whole text, as pasting does. */
export async function writePolicyText(page: Page, text: string): Promise<void> {
  await findPolicyText(page).press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** The text of a document that fits the window; the editor draws only lines that can be seen. */
export async function readPolicyText(page: Page): Promise<string> {
  return (await findPolicyText(page).locator('.cm-line').allTextContents()).join('\n');
}
