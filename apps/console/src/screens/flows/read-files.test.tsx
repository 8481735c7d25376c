import { readFiles } from './read-files.ts';

const file = (name: string, size: number) => new File([new Uint8Array(size).fill(255)], name);

describe('files for the workspace of a run', () => {
  it('are sent with their names, byte for byte', async () => {
    expect(await readFiles([file('a.bin', 2), new File(['hi'], 'b.txt')])).toEqual([
      { path: 'a.bin', content_base64: '//8=' },
      { path: 'b.txt', content_base64: 'aGk=' },
    ]);
  });

  it.each([
    ['too many files', Array.from({ length: 51 }, (_, index) => file(`f${index}`, 1)), 'At most 50 files'],
    ['a file that is too large', [file('large.bin', 73_729)], 'large.bin'],
    [
      'files that are too large together',
      Array.from({ length: 11 }, (_, index) => file(`f${index}`, 73_000)),
      'together',
    ],
  ])('are refused before they are sent: %s', async (_what, files, message) => {
    await expect(readFiles(files)).rejects.toThrow(message);
  });

  it('can be as large as the service accepts', async () => {
    expect((await readFiles([file('just.bin', 73_728)]))[0]?.content_base64).toHaveLength(98_304);
  });
});
