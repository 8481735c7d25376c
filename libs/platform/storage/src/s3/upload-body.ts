import { createReadStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';

export interface UploadBody {
  readonly stream: Transform;
  /** Sets the listener that is called for each chunk that is read for sending. */
  onProgress(listener: () => void): void;
}

/** Size of the pieces in which bytes in memory are sent, so that each piece is reported as progress. */
const PIECE_BYTES = 64 * 1024;

/** Opens a file, or bytes in memory, as a request body. */
export function openUploadBody(content: string | Uint8Array): UploadBody {
  let report = (): void => undefined;
  const stream = new Transform({
    transform(chunk, _encoding, done) {
      report();
      done(null, chunk);
    },
  });
  const source: Readable = typeof content === 'string' ? createReadStream(content) : Readable.from(cut(content));
  source.on('error', (error) => stream.destroy(error));
  stream.on('close', () => source.destroy());
  source.pipe(stream);
  return {
    stream,
    onProgress(listener) {
      report = listener;
    },
  };
}

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}
