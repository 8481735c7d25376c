import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { openOnce, TIMEOUT_MS, releaseAfterAll, type Release } from '@steward/testing';
import { startSuite, type Suite } from '../e2e/start-suite.ts';
import { START_TIMEOUT_MS } from '../e2e/suite-apps.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { listBarriers } from './list-barriers.ts';
import { CONSOLE_SETTINGS, findSharedSuite, type SharedSuite } from '../e2e/shared-suite.ts';
import { watchPage, type PageProblems } from './watch-page.ts';

/** Browser of a person, whose pages share their cookies. */
export interface Visitor {
  readonly context: BrowserContext;
  open(path: string): Promise<Tab>;
}

export interface Tab extends PageProblems {
  readonly page: Page;
}

export interface Console<Served extends SharedSuite = SharedSuite> {
  readonly suite: () => Served;
  /** Opens a new browser profile. */
  visit(): Promise<Visitor>;
  /** Checks the current screen in both themes for accessibility problems and overflow. */
  inspect(tab: Tab, name: string): Promise<void>;
}

/** Folder in which `CONSOLE_PICTURES=true` saves screenshots of every screen, for visual inspection. */
const PICTURES = process.env.CONSOLE_PICTURES === 'true' ? resolve(WORKSPACE_ROOT, 'tmp/screens') : undefined;
/**
 * Delay of each request of the console in milliseconds, set by `CONSOLE_DELAY_MS=500`, which reveals tests that do not
 * wait for the response.
 */
const DELAY_MS = Number(process.env.CONSOLE_DELAY_MS ?? 0);
/** Widths of the window in pixels. 640 is the width of a window of 1280 pixels at a zoom of 200 %. */
const WIDTHS = [1280, 768, 640, 360];
const NARROWEST = Math.min(...WIDTHS);
const HEIGHT = 800;

/** One browser for all files of this process, which use separate profiles: a start takes a second of CPU time. */
const openBrowser = openOnce(() =>
  // Chromium's own sandbox requires privileges that are missing in containers and for root; only our own pages are
  // opened.
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? 'chromium',
    // Pages of one profile share a process: starting one takes a quarter of the CPU time of a new page.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--process-per-site'],
  }),
);

/**
 * Sets up a test file: a suite that serves the built console, a Chromium browser, and a check of its pages after each
 * test. The suite is shared with other files of the run, which use it at the same time: a test creates its own account,
 * changes no other account, and ends the executions that it started. If settings are given, a separate suite is started
 * for the file, whose apps may be ended.
 */
export function useConsole(): Console;
export function useConsole(settings: Readonly<Record<string, string>>): Console<Suite>;
export function useConsole(settings?: Readonly<Record<string, string>>): Console {
  const release = releaseAfterAll();
  let suite: SharedSuite;
  let browser: Browser;
  let visitors: BrowserContext[] = [];
  let tabs: Tab[] = [];

  beforeAll(async () => {
    suite = settings === undefined ? await findSharedSuite() : await startOwnSuite(settings, release);
    browser = await openBrowser();
    if (PICTURES !== undefined) mkdirSync(PICTURES, { recursive: true });
  }, START_TIMEOUT_MS);

  afterEach(async () => {
    const problems = tabs.flatMap((tab) => tab.problems);
    const former = visitors;
    tabs = [];
    visitors = [];
    await Promise.all(former.map((context) => context.close()));
    expect(problems).toEqual([]);
  });

  return {
    suite: () => suite,
    async visit() {
      const context = await browser.newContext({
        baseURL: suite.url,
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        viewport: { width: WIDTHS[0] ?? 1280, height: HEIGHT },
      });
      visitors.push(context);
      context.setDefaultTimeout(TIMEOUT_MS);
      if (DELAY_MS > 0) await delayRequests(context);
      return {
        context,
        async open(path) {
          const page = await context.newPage();
          const tab = { page, ...watchPage(page, suite.url) };
          tabs.push(tab);
          await page.goto(path);
          return tab;
        },
      };
    },
    async inspect({ page }, name) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const barriers = await listBarriers(page, colorScheme === 'dark');
        expect({ [`barriers of ${name}, ${colorScheme}`]: barriers }).toEqual({
          [`barriers of ${name}, ${colorScheme}`]: [],
        });
        await keepPicture(page, `${name}-${colorScheme}`);
      }
      for (const width of WIDTHS.toReversed()) {
        await page.setViewportSize({ width, height: HEIGHT });
        const widest = await page.evaluate('document.documentElement.scrollWidth');
        expect({ [`width of ${name} at ${width}`]: widest }).toEqual({ [`width of ${name} at ${width}`]: width });
        if (width === NARROWEST) await keepPicture(page, `${name}-narrow`);
      }
      await page.emulateMedia({ colorScheme: 'light' });
    },
  };
}

/** Saves a screenshot of the current page, if screenshots are requested. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await page.screenshot({ path: resolve(PICTURES, `${name}.png`), animations: 'disabled' });
}

async function delayRequests(context: BrowserContext): Promise<void> {
  await context.route(/\/api\/v1\//, async (route) => {
    await setTimeout(DELAY_MS);
    // The page may already be closed.
    await route.continue().catch(() => undefined);
  });
}

async function startOwnSuite(
  settings: Readonly<Record<string, string>>,
  release: (release: Release) => void,
): Promise<Suite> {
  const suite = await startSuite({ ...CONSOLE_SETTINGS, ...settings });
  release(suite.stop);
  return suite;
}
