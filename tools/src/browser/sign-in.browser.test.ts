import { useConsole } from './use-console.ts';

const console = useConsole();

describe('signing in to the console', () => {
  it('is the first thing a stranger sees, and can be done by anybody', async () => {
    const tab = await (await console.visit()).open('/');
    await tab.page.getByRole('heading', { name: 'Sign in to Steward' }).waitFor();
    await console.inspect(tab, 'sign-in');
  });
});
