import type { Locator, Page } from 'playwright-core';
import { eventually } from '@steward/testing';

/**
 * Presses keys until the target is visible. Two keys are a shortcut only in quick succession, which may fail on a busy
 * machine; therefore they are pressed repeatedly.
 */
export async function goByKeys(page: Page, keys: string, place: Locator): Promise<void> {
  await eventually(async () => {
    for (const key of keys) await page.keyboard.press(key);
    await place.waitFor({ timeout: 5000 });
    return true;
  });
}
