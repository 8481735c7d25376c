import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import type { FileOwner } from '../workspace/open-folder.ts';
import { collectFiles, type EvidenceFile, type SkippedPath } from './collect-files.ts';

export interface PackRequest {
  /** Canonical path of the workspace. */
  readonly root: string;
  readonly paths: readonly string[];
  /** Path of the archive; its folder exists. */
  readonly target: string;
  /** Maximum size of all files together, before compression. */
  readonly maxBytes: number;
  readonly executionId: string;
  readonly capturedAt: Date;
  /** Owner of the run's files; files of other owners are omitted. */
  readonly owner?: FileOwner | undefined;
}

export type PackOutcome =
  | { readonly kind: 'nothing'; readonly skipped: readonly SkippedPath[] }
  | {
      readonly kind: 'packed';
      readonly files: number;
      readonly skipped: readonly SkippedPath[];
      readonly sizeBytes: number;
      readonly sha256: string;
      readonly manifestSha256: string;
    };

interface ManifestFile {
  readonly path: string;
  readonly size_bytes: number;
  readonly sha256: string;
}

const READ_BYTES = 64 * 1024;
const MAX_SKIPPED_LISTED = 1000;

/**
 * Packs files of a workspace into a gzipped tar: each file as `files/<path>`, then `manifest.json` with the omitted
 * paths and the sha256 of each file. Only the caller may write to the path of the archive. If there are no files, or
 * packing fails, no archive remains.
 */
export async function packEvidence(request: PackRequest): Promise<PackOutcome> {
  const tar = pack();
  const digest = createHash('sha256');
  let sizeBytes = 0;
  let isPacked = false;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  const written = pipeline(tar, createGzip(), count, createWriteStream(request.target, { mode: 0o600 }));
  try {
    const filled = fillArchive(tar, request);
    const [contents] = await Promise.all([filled, written]);
    if (contents.files.length === 0) return { kind: 'nothing', skipped: contents.skipped };
    isPacked = true;
    return {
      kind: 'packed',
      files: contents.files.length,
      skipped: contents.skipped,
      sizeBytes,
      sha256: digest.digest('hex'),
      manifestSha256: contents.manifestSha256,
    };
  } finally {
    tar.destroy();
    await written.catch(() => undefined);
    if (!isPacked) await rm(request.target, { force: true });
  }
}

async function fillArchive(tar: Pack, request: PackRequest) {
  const files: ManifestFile[] = [];
  const skipped: SkippedPath[] = [];
  const skip = (path: SkippedPath): void => void skipped.push(path);
  let totalBytes = 0;
  try {
    for await (const file of collectFiles(request.root, request.paths, { skip, owner: request.owner })) {
      try {
        if (totalBytes + file.sizeBytes > request.maxBytes) {
          skipped.push({ path: file.path, reason: 'size_limit' });
          continue;
        }
        totalBytes += file.sizeBytes;
        files.push(await addFile(tar, file, request.capturedAt));
      } finally {
        await file.handle.close();
      }
    }
    const manifest = JSON.stringify(
      {
        execution_id: request.executionId,
        captured_at: request.capturedAt.toISOString(),
        files,
        skipped: skipped.slice(0, MAX_SKIPPED_LISTED),
      },
      undefined,
      2,
    );
    await new Promise<void>((resolve, reject) => {
      tar.entry({ name: 'manifest.json', mtime: request.capturedAt }, manifest, (error) =>
        error ? reject(error) : resolve(),
      );
    });
    tar.finalize();
    return { files, skipped, manifestSha256: createHash('sha256').update(manifest).digest('hex') };
  } catch (error) {
    tar.destroy(error as Error);
    throw error;
  }
}

/**
 * Adds exactly as many bytes as the header states: a file that has grown is truncated, and a file that has shrunk makes
 * the archive fail.
 */
async function addFile(tar: Pack, file: EvidenceFile, mtime: Date): Promise<ManifestFile> {
  const hash: Hash = createHash('sha256');
  let ended: ((error?: Error | null) => void) | undefined;
  const stored = new Promise<void>((resolve, reject) => {
    ended = (error) => (error ? reject(error) : resolve());
  });
  stored.catch(() => undefined);
  const entry = tar.entry({ name: `files/${file.path}`, size: file.sizeBytes, mtime, mode: 0o644 }, (error) =>
    ended?.(error),
  );
  let position = 0;
  while (position < file.sizeBytes) {
    const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, file.sizeBytes - position));
    const { bytesRead } = await file.handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) throw new Error(`evidence: "${file.path}" was truncated while it was being read`);
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    position += bytesRead;
    if (!entry.write(chunk)) await new Promise<void>((resolve) => entry.once('drain', () => resolve()));
  }
  entry.end(undefined);
  await stored;
  return { path: file.path, size_bytes: file.sizeBytes, sha256: hash.digest('hex') };
}
