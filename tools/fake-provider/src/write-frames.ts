import type { Framing } from './behaviour.ts';
import type { StreamEvent } from './call.ts';

/** Yields one event in the pieces in which it is written. */
export function* writeFrames({ event, data }: StreamEvent, framing: Framing = {}): Iterable<Buffer> {
  const end = framing.crlf === true ? '\r\n' : '\n';
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const lines = [
    ...(framing.comments === true ? [': keep-alive', ''] : []),
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${text}`,
    '',
  ];
  const bytes = Buffer.from(lines.map((line) => line + end).join(''));
  const size = framing.pieceBytes ?? bytes.byteLength;
  for (let from = 0; from < bytes.byteLength; from += size) yield bytes.subarray(from, from + size);
}
