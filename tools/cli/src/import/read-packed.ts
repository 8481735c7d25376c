import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import * as zlib from 'node:zlib';
import { CliError, EXIT } from '../exit-codes.ts';

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Error for a file that cannot be read; the other files are still sent. */
export class UnreadableFileError extends CliError {
  constructor(message: string) {
    super(EXIT.refused, message);
  }
}

/**
 * Yields the bytes of a file, decompressed if its content is gzip or zstd, whatever its name.
 * @throws UnreadableFileError for one that is truncated, or that this Node version cannot decompress
 */
export async function* readUnpacked(path: string): AsyncGenerator<Buffer> {
  const unpack = chooseUnpacker(path, await readStart(path));
  if (unpack === undefined) {
    yield* createReadStream(path) as AsyncIterable<Buffer>;
    return;
  }
  // An error in either stream ends the other one; it is thrown below.
  const unpacked = pipeline(createReadStream(path), unpack, () => undefined);
  try {
    for await (const part of unpacked) yield part as Buffer;
  } catch (error) {
    throw new UnreadableFileError(`${path} cannot be decompressed: ${(error as Error).message}`);
  }
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ZSTD.length), 0, ZSTD.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function chooseUnpacker(path: string, start: Buffer): NodeJS.ReadWriteStream | undefined {
  if (start.subarray(0, GZIP.length).equals(GZIP)) return zlib.createGunzip();
  if (!start.equals(ZSTD)) return undefined;
  // The function is missing in some Node versions that run this command.
  const { createZstdDecompress } = zlib as Partial<typeof zlib>;
  if (createZstdDecompress === undefined)
    throw new UnreadableFileError(`${path} is compressed with zstd, which needs Node 22.15 or newer.`);
  return createZstdDecompress();
}
