import { createReadStream } from 'node:fs';
import { Transform } from 'node:stream';

export interface UploadBody {
  readonly stream: Transform;
  /** Registers a listener that is called for each chunk that was sent. */
  onProgress(listener: () => void): void;
}

/** Opens the file as a request body. */
export function openUploadBody(path: string): UploadBody {
  let report = (): void => undefined;
  const stream = new Transform({
    transform(chunk, _encoding, done) {
      report();
      done(null, chunk);
    },
  });
  const file = createReadStream(path);
  file.on('error', (error) => stream.destroy(error));
  stream.on('close', () => file.destroy());
  file.pipe(stream);
  return {
    stream,
    onProgress(listener) {
      report = listener;
    },
  };
}
