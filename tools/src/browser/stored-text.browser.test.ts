import { scaleLimit } from '@steward/testing';
import { crawlConsole } from '../attack/stored-text/crawl-console.ts';
import { HOSTILE_TEXTS } from '../attack/stored-text/hostile-texts.ts';
import { storeTexts } from '../attack/stored-text/store-texts.ts';
import { serveLocally } from '../servers/serve-locally.ts';
import { registerPerson, signIn } from './sign-in.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();

describe('hostile text in every text field', () => {
  it(
    'is shown as text on every page of the console: no script in it runs, and the security policy has nothing to block',
    async () => {
      const { url, api } = console.suite();
      const { username, api: owner } = await registerPerson(api);
      const { stored } = await storeTexts(url, owner);
      const { page } = await (await console.visit()).open('/login');
      await signIn(page, username);
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      const { opened, showing, problems } = await crawlConsole(page, url);
      expect(problems).toEqual([]);
      expect(stored).toBeGreaterThan(60);
      expect(opened.length).toBeGreaterThan(30);
      expect(showing.length).toBeGreaterThan(10);
    },
    scaleLimit(600_000),
  );

  it('would be detected if a page treated it as markup', async () => {
    const server = await serveLocally((_request, response) =>
      response.setHeader('content-type', 'text/html').end(HOSTILE_TEXTS.join('\n')),
    );
    try {
      const context = (await console.visit()).context;
      const { problems } = await crawlConsole(await context.newPage(), server.origin);
      expect(problems).toContain(`stored text ran at ${server.origin}/`);
    } finally {
      await server.close();
    }
  });
});
