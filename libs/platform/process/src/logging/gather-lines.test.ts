import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gatherLines } from './gather-lines.ts';

it('writes the lines of one tick together, in order', async () => {
  const writes: string[] = [];
  const target = new Writable({
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString());
      done();
    },
  });
  const stream = gatherLines(target);
  stream.write('a\n');
  stream.write('b\n');
  expect(writes).toEqual([]);
  await nextTurn();
  stream.write('c\n');
  await nextTurn();
  expect(writes).toEqual(['a\nb\n', 'c\n']);
});

it('a process that exits in the same tick loses no line', () => {
  const script = `
    import { gatherLines } from ${JSON.stringify(resolve(import.meta.dirname, 'gather-lines.ts'))};
    gatherLines(process.stdout).write('the last line\\n');
    process.exit(3);
  `;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([3, 'the last line\n']);
});
