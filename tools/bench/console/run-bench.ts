import { loadavg } from 'node:os';
import { ensureChromium, readServerChoices } from '@steward/local-servers';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { buildConsole } from '../../src/build/build-console.ts';
import { registerPerson, signIn } from '../../src/browser/sign-in.ts';
import { createApi, type Api } from '../../src/demo/api.ts';
import { printTable } from '../print-table.ts';
import { startBenchProcesses } from '../start-bench-processes.ts';
import { median, percentile } from '../statistics.ts';

const LOADS = 7;
const LINES = 20_000;
/** Network conditions of Lighthouse's slow 4G profile. */
const SLOW = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6e6 / 8) * 0.9,
  uploadThroughput: (750e3 / 8) * 0.9,
};

/** Conditions under which a page is loaded: processor slow-down and network. */
const WAYS = [
  { name: 'as it is', cpu: 1, network: undefined, targetMs: 500 },
  { name: 'processor x4, slow 4G', cpu: 4, network: SLOW, targetMs: 2000 },
] as const;

/**
 * Runs `npm run bench -- console`: measures when the largest element of the search screen is shown (LCP) on a first
 * load without a cache, and the frames of a page while a log of 20,000 lines arrives. Exits with 1 if a target is
 * missed.
 */
export async function runBench(): Promise<void> {
  await buildConsole();
  const { allowInstall } = readServerChoices(process.env);
  const executablePath = await ensureChromium({
    named: process.env.CHROMIUM_PATH,
    allowInstall,
    progress: (line) => console.error(line),
  });
  const processes = await startBenchProcesses(['flow-trigger'], { REGISTRATION_ENABLED: 'true' });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  try {
    const worker = await processes.startApp('flow-trigger');
    const { username, api } = await registerPerson(createApi(processes.apiUrl));
    const context = await browser.newContext({ baseURL: processes.apiUrl });
    const first = await context.newPage();
    await first.goto('/search');
    await signIn(first, username);
    await first.getByRole('heading', { name: 'Search sessions' }).waitFor();
    await first.close();
    const isQuick = await measureLoads(context);
    const isSmooth = await measureLog(context, api);
    if (!isQuick || !isSmooth) process.exitCode = 1;
    await worker.stop();
  } finally {
    await browser.close();
    await processes.stop();
  }
}

async function measureLoads(context: BrowserContext): Promise<boolean> {
  const rows = [];
  for (const way of WAYS) {
    const times: number[] = [];
    for (let count = 0; count < LOADS; count += 1) times.push(await load(context, way));
    rows.push({ way, times });
  }
  console.log(
    `\n  the largest part of the search screen on a first load, ms; ${LOADS} loads; load ${describeLoad()}\n`,
  );
  printTable(
    ['way', 'median', 'worst', 'target'],
    rows.map(({ way, times }) => [way.name, median(times), Math.max(...times), way.targetMs]),
  );
  return rows.every(({ way, times }) => median(times) <= way.targetMs);
}

async function load(context: BrowserContext, { cpu, network }: (typeof WAYS)[number]): Promise<number> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  if (network !== undefined) await session.send('Network.emulateNetworkConditions', network);
  await page.goto('/search');
  await page.getByRole('heading', { name: 'Search sessions' }).waitFor();
  await page.waitForLoadState('networkidle');
  const at = await page.evaluate<number>(
    `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
       .observe({ type: 'largest-contentful-paint', buffered: true }))`,
  );
  await page.close();
  return at;
}

async function measureLog(context: BrowserContext, api: Api): Promise<boolean> {
  const { body: flow } = await api.call('POST', '/api/v1/flows', {
    body: {
      name: 'long',
      prompt_template: 'x',
      agent_type: 'command',
      agent_config: { command: `seq -f "line %.0f of a log that is neither short nor long." 1 ${LINES}` },
    },
  });
  const { body: run } = await api.call('POST', `/api/v1/flows/${String(flow.id)}/trigger`, { body: {} });
  const page = await context.newPage();
  await page.goto('/search');
  await page.evaluate(FRAMES);
  await open(page, String(run.execution_id));
  await page.getByText(`line ${LINES} of`).waitFor();
  const frames = await page.evaluate<number[]>('window.frames_');
  console.log(`\n  frames of a page while ${LINES} lines come, ms; load ${describeLoad()}\n`);
  const worst = Math.max(...frames);
  printTable(
    ['frames', 'median', 'p99', 'longest', 'target'],
    [[frames.length, median(frames), percentile(frames, 0.99), worst, 'longest 400']],
  );
  return worst <= 400;
}

/** Opens an execution without a page load, because the page itself counts its frames. */
async function open(page: Page, executionId: string): Promise<void> {
  await page.getByRole('link', { name: 'Executions' }).click();
  await page.locator(`a[href="/executions/${executionId}"]`).click();
}

const FRAMES = `
  window.frames_ = [];
  let before = performance.now();
  const next = (now) => { window.frames_.push(now - before); before = now; requestAnimationFrame(next); };
  requestAnimationFrame(next);
`;

const describeLoad = (): string => loadavg()[0]?.toFixed(1) ?? '';
