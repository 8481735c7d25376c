import { randomBytes } from 'node:crypto';
import { chromium, type Page } from 'playwright-core';
import { createApi } from '../../demo/api.ts';
import { PASSWORD, registerOwner } from '../../e2e/register-owner.ts';
import type { AttackReport, AttackTarget } from '../target.ts';
import { crawlConsole } from './crawl-console.ts';
import { storeTexts } from './store-texts.ts';

/**
 * Opens every page of the console in Chromium, in an account whose texts are all hostile.
 * @throws if Chromium is not available
 */
export async function attackPages({ url }: AttackTarget): Promise<AttackReport> {
  const username = `victim-${randomBytes(6).toString('hex')}`;
  const { fields, stored } = await storeTexts(url, (await registerOwner(createApi(url), username)).api);
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  try {
    const page = await browser.newPage();
    await signIn(page, url, username);
    const { opened, showing, problems } = await crawlConsole(page, url);
    return {
      tried: opened.length,
      breaches: problems,
      notes: [`${stored} of ${fields} fields took a text, ${opened.length} pages opened, ${showing.length} show one`],
    };
  } finally {
    await browser.close();
  }
}

async function signIn(page: Page, url: string, username: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}
