import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateWorkspaceFiles } from '@steward/flows';
import { useFolder } from '@steward/testing';
import { findAttachments } from './find-attachments.ts';
import { packPayload } from './pack-payload.ts';

describe('packing a payload', () => {
  const folder = useFolder();

  const write = (name: string, content: string | Buffer): void => {
    mkdirSync(join(folder(), name, '..'), { recursive: true });
    writeFileSync(join(folder(), name), content);
  };
  const pack = (text: string, attach: readonly string[] = [], unwrap = true) => {
    const attachments = findAttachments(attach, folder()).map((file) => ({
      ...file,
      source: join(folder(), file.source),
    }));
    return packPayload(text, attachments, { unwrap });
  };
  const packAbsolute = (text: string, attach: readonly string[]) =>
    packPayload(
      text,
      findAttachments(
        attach.map((name) => `${join(folder(), name)}=${name}`),
        folder(),
      ),
      { unwrap: true },
    );
  const read = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, never>;

  it('produces exactly the bytes that the service’s validator accepts', () => {
    const binary = Buffer.from([0, 255, 10, 13, 128, 7]);
    write('reports/a.bin', binary);
    write('change.diff', '+ added\n');
    const { bytes, fileCount } = packAbsolute('{"sha":"1"}', ['reports/a.bin', 'change.diff']);
    const outcome = validateWorkspaceFiles(read(bytes).workspace_files);
    expect(fileCount).toBe(2);
    expect(outcome).toEqual({
      kind: 'valid',
      files: [
        { path: 'reports/a.bin', content: binary },
        { path: 'change.diff', content: Buffer.from('+ added\n') },
      ],
    });
  });

  it('sends the caller’s bytes unchanged if no file is attached', () => {
    const text = '{ "id": 12345678901234567890 }\n';
    expect(Buffer.from(pack(text).bytes).toString()).toBe(text);
  });

  it('accepts a file of exactly the maximum size, and names a larger one with the excess', () => {
    write('exact.bin', Buffer.alloc(73_728));
    expect(packAbsolute('{}', ['exact.bin']).fileCount).toBe(1);
    write('over.bin', Buffer.alloc(73_729));
    expect(() => packAbsolute('{}', ['over.bin'])).toThrow(
      '"over.bin" has 98308 base64 bytes; the limit is 98304 (4 over)',
    );
  });

  it('reports the total size and by how much it exceeds the limit', () => {
    const names = Array.from({ length: 11 }, (_none, index) => `f${index}`);
    for (const name of names) write(name, Buffer.alloc(73_728));
    expect(() => packAbsolute('{}', names)).toThrow(
      'has 1081344 base64 bytes in total; the limit is 1048576 (32768 over)',
    );
    expect(packAbsolute('{}', names.slice(0, 10)).fileCount).toBe(10);
  });

  it('counts declared and attached files together', () => {
    const declared = Array.from({ length: 50 }, (_none, index) => ({ path: `d${index}`, content_base64: '' }));
    write('one.txt', '1');
    expect(() => packAbsolute(JSON.stringify({ workspace_files: declared }), ['one.txt'])).toThrow(
      'has 51 files; the limit is 50 (1 over)',
    );
  });

  it('reports all problems at once', () => {
    write('a', Buffer.alloc(80_000));
    write('b', Buffer.alloc(90_000));
    expect(() => packAbsolute('{}', ['a', 'b'])).toThrow(/"a" has .*\n.*"b" has /s);
  });

  it('refuses a payload above the body limit, and names its size and the limit', () => {
    expect(() => pack(`{"x":"${'y'.repeat(4 * 1024 * 1024)}"}`)).toThrow(
      'has 4194312 bytes; the limit is 4194304 (8 over)',
    );
  });

  it('puts files inside a wrapped payload on the manual route, and next to the payload on a webhook', () => {
    write('one.txt', '1');
    const attachments = findAttachments([`${join(folder(), 'one.txt')}=one.txt`], folder());
    const manual = read(packPayload('{"payload":{"a":1}}', attachments, { unwrap: true }).bytes);
    const webhook = read(packPayload('{"payload":{"a":1}}', attachments, { unwrap: false }).bytes);
    expect(Object.keys(manual)).toEqual(['payload']);
    expect(Object.keys(webhook)).toEqual(['payload', 'workspace_files']);
  });

  it.each(['[]', '1', 'null', '"x"'])('refuses %s, because a payload must be an object', (text) => {
    expect(() => pack(text)).toThrow('must be a JSON object');
  });

  it('accepts a payload that begins with a byte order mark, which editors on Windows write', () => {
    expect(read(pack('\uFEFF{"a":1}').bytes)).toEqual({ a: 1 });
  });

  it('does not quote a payload that is not JSON', () => {
    expect(() => pack('{"token": hunter2hunter2}')).toThrow(/^The payload is not valid JSON[^h]*$/);
  });

  it.each([
    ['../up.txt', 'traverses upwards'],
    ['.git/config', '.git segment'],
    ['/etc/passwd', 'is absolute'],
  ])('refuses the destination path %s', (destination, problem) => {
    write('one.txt', '1');
    expect(() =>
      packPayload('{}', findAttachments([`${join(folder(), 'one.txt')}=${destination}`], folder()), { unwrap: true }),
    ).toThrow(problem);
  });

  it('reads a folder in the order of names and refuses a symbolic link in it', () => {
    write('dir/b.txt', 'b');
    write('dir/a/c.txt', 'c');
    const found = findAttachments([join(folder(), 'dir')], folder());
    expect(found.map((file) => file.path)).toEqual(['dir/a/c.txt', 'dir/b.txt']);
    symlinkSync('/etc/passwd', join(folder(), 'dir/link'));
    expect(() => findAttachments([join(folder(), 'dir')], folder())).toThrow('is a link');
  });

  it('requires a destination path if a file is outside the current folder', () => {
    write('one.txt', '1');
    expect(() => findAttachments([join(folder(), 'one.txt')], join(folder(), 'elsewhere'))).toThrow(
      `${join(folder(), 'one.txt')}=one.txt`,
    );
  });

  it('reports the name of a missing file', () => {
    expect(() => findAttachments(['nowhere.txt'], folder())).toThrow('nowhere.txt: the file does not exist');
  });

  it('accepts a file whose name contains "="', () => {
    write('a=b.txt', '1');
    expect(findAttachments([join(folder(), 'a=b.txt')], folder()).map((file) => file.path)).toEqual(['a=b.txt']);
  });
});
