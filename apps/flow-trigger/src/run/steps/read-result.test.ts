import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@steward/testing';
import { readResult } from './read-result.ts';

describe('the result.json of a workspace (EXEC-14, LIM-32)', () => {
  const workspace = useFolder();

  const write = (content: string | Buffer): void => writeFileSync(join(workspace(), 'result.json'), content);
  const MEBIBYTE = 1024 * 1024;

  it('is empty if the agent did not write one', async () => {
    expect(await readResult(workspace())).toEqual({ kind: 'none' });
  });

  it.each([['{"a":[1,null]}'], ['"text"'], ['0'], ['null'], [' [] ']])('can be any JSON: %s', async (text) => {
    write(text);
    expect(await readResult(workspace())).toEqual({ kind: 'read', value: JSON.parse(text) as unknown });
  });

  it('is read up to 1 MiB; if it is larger, it is ignored and its size is logged', async () => {
    write(`"${'x'.repeat(MEBIBYTE - 2)}"`);
    expect((await readResult(workspace())).kind).toBe('read');
    write(`"${'x'.repeat(MEBIBYTE - 1)}"`);
    expect(await readResult(workspace())).toEqual({
      kind: 'unusable',
      reason: `it has ${MEBIBYTE + 1} bytes; the limit is ${MEBIBYTE}`,
    });
  });

  it.each([
    ['no JSON', () => write('{'), 'it is not valid JSON'],
    ['nothing', () => write(''), 'it is not valid JSON'],
    ['nested too deeply', () => write('['.repeat(5000) + ']'.repeat(5000)), 'it is nested too deeply'],
    ['a folder', () => mkdirSync(join(workspace(), 'result.json')), 'it is not a file'],
  ])('is ignored if it is %s', async (_what, make, reason) => {
    make();
    expect(await readResult(workspace())).toEqual({ kind: 'unusable', reason });
  });

  it('is not read through a link, whatever its target', async () => {
    writeFileSync(join(workspace(), 'other.json'), '{"of":"the worker"}');
    symlinkSync(join(workspace(), 'other.json'), join(workspace(), 'result.json'));
    expect(await readResult(workspace())).toMatchObject({
      kind: 'unusable',
      reason: expect.stringContaining('cannot be opened') as unknown,
    });
  });
});
