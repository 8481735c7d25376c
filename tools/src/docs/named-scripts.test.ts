import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

const read = (file: string): string => readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8');
/** Matches decisions and old changes, which describe earlier states. */
const TELLS_HISTORY = /^docs\/(?:develop\/adr|reference\/changes-)/;
const pages = globSync('{*,.github/**/*,docs/**/*,apps/*/*,libs/**/*,tools/cli/*,deploy/**/*}.md', {
  cwd: WORKSPACE_ROOT,
  exclude: (name) => /node_modules|out-tsc|dist/.test(name),
}).filter((file) => !TELLS_HISTORY.test(file));

describe('a script named on a page', () => {
  it('exists in this repository', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const unknown = pages.flatMap((file) =>
      [...read(file).matchAll(/\bnpm run ([a-z][\w:-]*)\b(?! --workspace)/g)]
        .filter(([, name = '']) => !Object.hasOwn(scripts, name))
        .map(([, name = '']) => `${file} names npm run ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});
