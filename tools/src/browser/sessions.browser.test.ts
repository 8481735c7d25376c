import type { Locator } from 'playwright-core';
import { eventually } from '@steward/testing';
import { connectClient } from '../servers/connect-client.ts';
import { registerPerson, signIn } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
const SESSIONS = '/api/v1/runtime-sessions';

describe('sessions in the console', () => {
  it('can be opened from the list, given a title, sent notes and ended', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    for (const source of ['run-1', 'run-2'])
      await api.call('POST', SESSIONS, { body: { session_source_type: 'test', session_source_id: source } });
    const tab = await (await console.visit()).open('/sessions');
    const { page } = tab;
    await signIn(page, username);
    await page.getByRole('link', { name: 'test run-1' }).waitFor();
    for (const key of ['j', 'j', 'k', 'j', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: 'test run-1' }).waitFor();
    await page.getByRole('button', { name: 'Edit title' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('The nightly run');
    await page.getByRole('button', { name: 'Save title' }).click();
    await page.getByRole('heading', { name: 'The nightly run' }).waitFor();
    await page.getByRole('button', { name: 'Write a note' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Leave the payment tables alone today.');
    await console.inspect(tab, 'write-a-note');
    await page.getByRole('button', { name: 'Send note' }).click();
    const notes = page.getByRole('table', { name: 'Notes' });
    await notes.getByText('Waiting for the agent').waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByText('Leave the payment tables').waitFor();
    await console.inspect(tab, 'session-with-note');
    await notes.getByRole('button', { name: 'Cancel note' }).click();
    await notes.getByText('Cancelled').waitFor();
    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await page.getByText('ended: operator').waitFor();
    const { body } = await api.call('GET', `${SESSIONS}?active=false`);
    expect(body.items).toMatchObject([{ title: 'The nightly run', end_reason: 'operator' }]);
  });

  it('load quickly with a thousand entries of 100 KB, and use little browser memory (CON-23, WEB-21)', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    const { body: session } = await api.call('POST', SESSIONS, {
      body: { session_source_type: 'test', session_source_id: 'large', title: 'A large one' },
    });
    const content = `A large entry. ${'It goes on and on. '.repeat(5300)}`;
    await api.call('POST', `${SESSIONS}/${String(session.id)}/transcript`, {
      body: { messages: [{ role: 'user', content, external_id: 'm-0' }] },
    });
    await goOn(String(session.id), 999);
    const tab = await (await console.visit()).open('/sessions');
    const { page } = tab;
    await signIn(page, username);
    const link = page.getByRole('link', { name: 'A large one' });
    await link.waitFor();
    const debug = await page.context().newCDPSession(page);
    await debug.send('Performance.enable');
    const readMetric = async (wanted: string): Promise<number> => {
      const { metrics } = await debug.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
    };
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/runtime-sessions/'))
        asked.push(request.url().slice(console.suite().url.length));
    });
    const before = await readMetric('ProcessTime');
    await link.click();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('A large entry.').first().waitFor();
    // Sums the CPU time of the page and the minimum duration of each response of the service, because the machine may
    // have other load.
    let milliseconds = ((await readMetric('ProcessTime')) - before) * 1000;
    expect(asked).toContainEqual(expect.stringContaining('/timeline'));
    for (const path of asked.slice()) milliseconds += await measureFastest(() => api.call('GET', path));
    expect(milliseconds).toBeLessThan(2000);
    const entries = timeline.getByRole('listitem');
    const more = timeline.getByRole('button', { name: 'Load more' });
    await eventually(async () => (await entries.count()) === 30);
    const loaded = await eventually(async () => {
      const isBusy = (await more.getAttribute('aria-busy')) === 'true';
      const shown = await entries.count();
      // A click has no effect if the button moves meanwhile, because other parts of the page are still loading.
      if (!isBusy && shown < 200) await more.click();
      expect({ isBusy, shown: Math.min(shown, 200) }).toEqual({ isBusy: false, shown: 200 });
      return shown;
    });
    // Each further page has as many entries as fit into 8 MiB.
    expect((loaded - 30) % 83).toBe(0);
    expect(await timeline.getByRole('button', { name: /^Show all \(9\d\.\d kB more\)$/ }).count()).toBeGreaterThan(190);
    await debug.send('HeapProfiler.collectGarbage');
    expect(await readMetric('JSHeapUsedSize')).toBeLessThan(150_000_000);
  });

  /** Simulates further messages of the agent, one every millisecond. */
  async function goOn(sessionId: string, times: number): Promise<void> {
    const client = await connectClient(console.suite().database.url);
    await client.query(
      `insert into gateway.session_content
       select (jsonb_populate_record(row, jsonb_build_object(
         'id', gen_random_uuid(), 'external_id', 'm-' || n, 'occurred_at', row.occurred_at + n * interval '1 ms'))).*
       from gateway.session_content row, generate_series(1, $2) n where row.runtime_session_id = $1`,
      [sessionId, times],
    );
    await client.end();
  }

  it('open at the entry named by a link, however far it is from the beginning, and continue in both directions (CON-21)', async () => {
    const { username, api } = await registerPerson(console.suite().api);
    const { body: session } = await api.call('POST', SESSIONS, {
      body: { session_source_type: 'test', session_source_id: 'long' },
    });
    const path = `${SESSIONS}/${String(session.id)}`;
    const long = 'A long body. '.repeat(2_000);
    for (let from = 0; from < 500; from += 50) {
      const messages = Array.from({ length: 50 }, (_, index) => ({
        role: 'user',
        content: `entry ${from + index}. ${long}`,
        external_id: `m-${from + index}`,
      }));
      expect((await api.call('POST', `${path}/transcript`, { body: { messages } })).status).toBeLessThan(300);
    }
    const { body } = await api.call('GET', `${path}/timeline?limit=200&order=desc`);
    const { id } = (body.items as unknown as { id: string }[])[150] ?? { id: '' };
    const tab = await (await console.visit()).open(`/sessions/${String(session.id)}?at=${id}`);
    const { page } = tab;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/timeline')) asked.push(request.url());
    });
    await signIn(page, username);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('entry 349.').waitFor();
    await expectInView(timeline.getByText('entry 349.'));
    expect(asked).toHaveLength(1);
    // Long bodies are collapsed, and expanded one by one.
    const folded = timeline.getByRole('button', { name: /^Show all \(.* more\)$/ });
    const before = await folded.count();
    expect(before).toBe(30);
    await folded.first().click();
    await timeline.getByRole('button', { name: 'Show less' }).waitFor();
    expect(await folded.count()).toBe(before - 1);
    await timeline.getByRole('button', { name: 'Show less' }).click();
    await console.inspect(tab, 'session-at-entry');
    await page.getByRole('button', { name: 'Load earlier' }).click();
    await timeline.getByText('entry 250.').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await timeline.getByText('entry 450.').waitFor();
    const numbers = (await timeline.getByRole('listitem').allTextContents()).map((text) =>
      Number(/entry (\d+)\./.exec(text)?.[1]),
    );
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    tab.expectRefusal(`${path}/timeline`);
    const { id: account } = (await api.call('GET', '/api/v1/users/me')).body;
    await page.goto(`${new URL(page.url()).origin}/sessions/${String(session.id)}?at=${String(account)}`);
    await page.getByText('The linked entry is not in this session.').waitFor();
    await timeline.getByText('entry 0.').waitFor();
  });
});

/** Returns the duration of the fastest of several attempts. */
async function measureFastest(work: () => Promise<unknown>): Promise<number> {
  let fastest = Infinity;
  for (let tries = 0; tries < 5; tries += 1) {
    const begun = performance.now();
    await work();
    fastest = Math.min(fastest, performance.now() - begun);
  }
  return fastest;
}

const expectInView = (place: Locator): Promise<void> =>
  eventually(async () => {
    const box = await place.boundingBox();
    if (box === null || box.y < 0 || box.y >= 800) throw new Error(`it is at ${JSON.stringify(box)}`);
    return true;
  }).then(() => undefined);
