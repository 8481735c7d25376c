import type { Locator, Page } from 'playwright-core';
import { eventually } from '@steward/testing';

/** Two keys are a shortcut only soon after each other, which is too soon for a busy machine: they are pressed until they lead there. */
export async function goByKeys(page: Page, keys: string, place: Locator): Promise<void> {
  await eventually(async () => {
    for (const key of keys) await page.keyboard.press(key);
    await place.waitFor({ timeout: 5000 });
    return true;
  });
}
