import type { Locator, Page } from 'playwright-core';

/** The editor of a policy. */
export const findPolicyText = (page: Page): Locator => page.getByRole('textbox', { name: 'Policy' });

/** Replaces the whole text, as pasting does. */
export async function writePolicyText(page: Page, text: string): Promise<void> {
  await findPolicyText(page).press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Returns the text of a document that fits into the window; the editor renders only visible lines. */
export async function readPolicyText(page: Page): Promise<string> {
  return (await findPolicyText(page).locator('.cm-line').allTextContents()).join('\n');
}
