import type { Socket } from 'node:net';

const CONTINUE = /^HTTP\/1\.[01] 100[ \r][^]*?\r\n\r\n/;
/** Number of bytes that are searched for a head of "100 Continue", which has about 25 bytes. */
const LONGEST_HEAD = 1024;

/**
 * Drops "100 Continue" from the data of a connection. A receiver may send it unrequested (RFC 9110, 15.2) and some
 * proxies do; undici treats it as a broken response. A body that begins with these bytes would also lose them, which
 * hardly matters: bodies are discarded, except for the beginning that some endpoints store.
 */
export function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (chunk === null) return null;
      const rest = dropContinue(chunk);
      if (rest.byteLength > 0) return rest;
    }
  };
}

function dropContinue(chunk: Buffer): Buffer {
  let rest = chunk;
  for (;;) {
    // 0x48 is the H of `HTTP`; nearly all chunks are returned here or after the next test.
    if (rest[0] !== 0x48) return rest;
    const head = CONTINUE.exec(rest.toString('latin1', 0, LONGEST_HEAD))?.[0];
    if (head === undefined) return rest;
    rest = rest.subarray(head.length);
  }
}
