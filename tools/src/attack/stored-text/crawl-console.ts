import type { Page } from 'playwright-core';
import { CALLED } from './hostile-texts.ts';

export interface Crawl {
  /** URLs of the pages that were opened. */
  readonly opened: readonly string[];
  /** URLs of the pages that show hostile text. */
  readonly showing: readonly string[];
  /** Texts that were executed, and violations of the content security policy. */
  readonly problems: readonly string[];
}

/** Maximum number of pages of one kind, since the pages of different objects have the same structure. */
const PER_KIND = 3;

/**
 * Opens the console's screens and every linked page in a signed-in browser page, and each kind of page at most three
 * times.
 */
export async function crawlConsole(page: Page, origin: string): Promise<Crawl> {
  const problems: string[] = [];
  await page.exposeFunction(CALLED, () => void problems.push(`stored text ran at ${page.url()}`));
  await page.exposeFunction('reportViolation', (what: string) => void problems.push(`${what} at ${page.url()}`));
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective + ' ' + event.blockedURI))`,
  );
  page.on('dialog', (dialog) => {
    problems.push(`a dialog at ${page.url()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const waiting = ['/', '/search?q=found'];
  const kinds = new Map<string, number>();
  const opened: string[] = [];
  const showing: string[] = [];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    await page.goto(`${origin}${path}`);
    await page.waitForLoadState('networkidle');
    opened.push(path);
    if ((await page.locator('body').innerText()).includes(`${CALLED}(`)) showing.push(path);
    for (const link of await readLinks(page)) {
      if (!link.startsWith(`${origin}/`)) {
        if (/^(?!https?:|mailto:)/.test(link)) problems.push(`a link to ${link} at ${path}`);
        continue;
      }
      const next = link.slice(origin.length).replace(/#.*/, '');
      const kind = next.replace(/\?.*/, '').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '*');
      const count = kinds.get(kind) ?? 0;
      if (
        count >= PER_KIND ||
        /^\/(?:docs|cli|login|api)(?:\/|$)/.test(next) ||
        opened.includes(next) ||
        waiting.includes(next)
      )
        continue;
      kinds.set(kind, count + 1);
      waiting.push(next);
    }
  }
  return { opened, showing, problems };
}

function readLinks(page: Page): Promise<string[]> {
  return page.getByRole('link').evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href));
}
