import { spawnSync } from 'node:child_process';

const MODULE = new URL('close-inherited.ts', import.meta.url).href;
/** Prints the file descriptors of a program that this script starts. */
const LIST = `console.log(require('node:child_process').execFileSync('/bin/sh', ['-c', 'echo /proc/self/fd/*']).toString())`;
const list = (script: string): string[] => {
  // The descriptor has a high number with a gap below it, because Node itself checks only the first few descriptors.
  const { stdout, stderr } = spawnSync(
    '/bin/bash',
    ['-c', 'exec 200</etc/hostname; exec "$0" -e "$1"', process.execPath, script],
    {
      encoding: 'utf8',
    },
  );
  if (stdout === '') throw new Error(stderr);
  return stdout
    .trim()
    .split(' ')
    .map((path) => path.replace('/proc/self/fd/', ''));
};

it('a program does not inherit a descriptor that was closed for inheritance', () => {
  expect(list(LIST)).toContain('200');
  const closing = `import(${JSON.stringify(MODULE)}).then(({ closeInherited }) => { closeInherited(); ${LIST} })`;
  const left = list(closing);
  expect(left).not.toContain('200');
  expect(left).toEqual(expect.arrayContaining(['0', '1', '2']));
});
