import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { buildRunArguments, renderVariables } from './docker-arguments.ts';

it('variables are passed to a shell unchanged, whatever their value', () => {
  const value = fc.string({
    unit: fc.constantFrom('a', "'", '"', '$', '`', '\\', '\n', ' ', ';', '!', 'ü', '*', '$(id)'),
  });
  fc.assert(
    fc.property(value, (text) => {
      const script = `${renderVariables({ GIVEN: text })}printf %s "$GIVEN"`;
      expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(text);
    }),
    { numRuns: 60 },
  );
});

it('invalid names are omitted', () => {
  expect(renderVariables({ 'A=1; rm -rf /; B': 'x', '1A': 'x', OK_1: 'x' })).toBe("export OK_1='x'\n");
});

it('a path with commas and quotes is a single field of a mount', () => {
  const folder = '/data/a,readonly,"b"';
  const workspace = {
    root: folder,
    run: folder,
    directory: folder,
    home: folder,
    input: folder,
    promptFile: `${folder}/p`,
  };
  const options = { image: 'i', network: 'none', memory: '1g', cpus: 1, pidsLimit: 10, pull: 'missing' };
  const args = buildRunArguments({ executionId: 'x', workspace, timeoutSeconds: 60, user: undefined }, options);
  expect(args.find((arg) => arg.endsWith('target=/workspace'))).toBe(
    '--mount=type=bind,"source=/data/a,readonly,""b""",target=/workspace',
  );
  expect(args.some((arg) => arg.startsWith('--user'))).toBe(false);
});
