import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';

export interface PackageFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode?: number;
}

/**
 * Writes a package that the gateway serves: an archive whose files are in `folder`, and its SHA-256 in the format of
 * `sha256sum --check`. The same files result in the same bytes.
 */
export async function writePackage(file: string, folder: string, files: readonly PackageFile[]): Promise<void> {
  const archive = pack();
  for (const { path, content, mode = 0o644 } of files)
    archive.entry({ name: `${folder}/${path}`, mode, mtime: new Date(0) }, Buffer.from(content));
  archive.finalize();
  const packed = await promisify(gzip)(await buffer(archive), { level: 9 });
  mkdirSync(resolve(file, '..'), { recursive: true });
  writeFileSync(file, packed);
  const digest = createHash('sha256').update(packed).digest('hex');
  writeFileSync(`${file}.sha256`, `${digest}  ${file.slice(file.lastIndexOf('/') + 1)}\n`);
}

/** Writes the files of a package to a folder. */
export function unpackTo(folder: string, files: readonly PackageFile[]): void {
  for (const { path, content, mode } of files) {
    const target = resolve(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content, { mode });
  }
}
