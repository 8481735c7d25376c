import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '@steward/local-servers';
import { releaseAfterAll } from '@steward/testing';
import { createApi } from '../demo/api.ts';
import { createHook } from '../e2e/create-hook.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { registerPerson, signIn } from './sign-in.ts';
import { useConsole } from './use-console.ts';
import { watchPage } from './watch-page.ts';

const console = useConsole();

describe('the development server of the console', () => {
  const release = releaseAfterAll();
  let url: string;
  beforeAll(async () => {
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const child = spawn(
      process.execPath,
      [resolve(WORKSPACE_ROOT, 'tools/src/dev-console/main.ts'), '--port', String(port)],
      { env: { PATH: process.env.PATH, STEWARD_API_URL: console.suite().url }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const exit = once(child, 'exit');
    release(async () => {
      child.kill();
      await exit;
    });
    const [said] = (await Promise.race([once(createInterface(child.stdout), 'line'), exit])) as [unknown];
    expect(said).toMatch(`the console: ${url}/,`);
  });

  it('serves the page with the same security policy as the build, which does not block development (WEB-46)', async () => {
    const { username } = await registerPerson(console.suite().api);
    const { context } = await console.visit();
    const page = await context.newPage();
    const { problems } = watchPage(page, url);
    const answer = await page.goto(`${url}/search?q=404`);
    const built = (await (await context.newPage()).goto('/search'))?.headers()['content-security-policy'] ?? '';
    const policy = (answer?.headers()['content-security-policy'] ?? '').replaceAll(/ 'nonce-[^']+'/g, '');
    expect([policy, built]).toEqual([built, expect.stringContaining("script-src 'self';")]);
    await signIn(page, username);
    await page.getByText('0 sessions').waitFor();
    expect(problems).toEqual([]);
  });

  it('forwards requests that are handled on the API port (CON-3, WEB-46)', async () => {
    const { api } = await registerPerson(console.suite().api);
    const hook = await createHook(api, { name: 'nightly', prompt: 'x', command: 'true' });
    const here = createApi(url);
    const triggered = await here.call('POST', hook.path, { body: { subject: 'x' } });
    expect(triggered.body.execution_id).toEqual(expect.any(String));
    for (const path of ['/api/v1/health', '/docs/api/openapi.json', '/approval/nothing', '/cli/steward.tgz.sha256']) {
      const [dev, direct] = await Promise.all([url, console.suite().url].map((base) => fetch(`${base}${path}`)));
      expect([path, dev?.status, await dev?.text()]).toEqual([path, direct?.status, await direct?.text()]);
    }
    const refused = await fetch(`${url}/flows/x/trigger`, { method: 'POST' });
    expect([refused.status, await refused.json()]).toEqual([
      401,
      expect.objectContaining({ detail: expect.objectContaining({ code: 'unauthenticated' }) }),
    ]);
  });
});
