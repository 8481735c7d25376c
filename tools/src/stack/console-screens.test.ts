import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

const readTexts = (file: string, form: RegExp): string[] =>
  [...readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8').matchAll(form)].map(([, text = '']) => text);

describe('the gateway', () => {
  it('returns the page of the console at the address of every screen, so that the screen can be reloaded (CON-2)', () => {
    const addresses = ['apps/console/src/router.tsx', 'apps/console/src/routes/screen-routes.ts'].flatMap((file) =>
      readTexts(file, /\bpath: '(\/[^']*)'/g),
    );
    const served = readTexts('apps/api-gateway/src/console/console-screens.ts', /^ {2}'(\/[^']*)',$/gm);
    const isServed = (address: string): boolean =>
      served.some((screen) => (screen.endsWith('*') ? address.startsWith(screen.slice(0, -1)) : screen === address));
    expect(addresses.filter((address) => !isServed(address))).toEqual([]);
    expect(addresses.length).toBeGreaterThan(40);
  });
});
