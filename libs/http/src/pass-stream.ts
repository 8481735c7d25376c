import { finished, type Readable, type Writable } from 'node:stream';

/**
 * Passes everything on, as fast as it is taken; whoever of both ends before its time ends the other. `pipeline` does the same, and
 * makes and aborts a controller for each stream, which is a fiftieth of what a short answer costs.
 *
 * @param onEnd - Once, when both are over; with an error when one of them ended before its time.
 */
export function passStream(from: Readable, to: Writable, onEnd: (error: Error | undefined) => void): void {
  let failure: Error | undefined;
  let open = 2;
  const end = (other: Readable | Writable) => (error: Error | null | undefined) => {
    if (error !== undefined && error !== null) {
      failure ??= error;
      other.destroy(from === other ? undefined : error);
    }
    open -= 1;
    if (open === 0) onEnd(failure);
  };
  finished(from, { writable: false }, end(to));
  finished(to, { readable: false }, end(from));
  from.pipe(to);
}
