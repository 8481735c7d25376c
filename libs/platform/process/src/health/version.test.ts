import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { VERSION } from './version.ts';

it('the version in health responses is that of the package', () => {
  const file = resolve(import.meta.dirname, '../../../../../package.json');
  expect(VERSION).toBe((JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version);
});
