import { connect } from 'node:net';
import { once } from 'node:events';

export interface HeardHint {
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Subscribes to every message of the suite, in addition to the regular consumers, using the broker's own protocol: no
 * message is removed from a stream.
 */
export async function listenHints(url: string): Promise<{ readonly heard: readonly HeardHint[]; close(): void }> {
  const { hostname, port, username, password } = new URL(url);
  const heard: HeardHint[] = [];
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let text = '';
  socket.on('data', (data: string) => {
    const lines = `${text}${data}`.split('\r\n');
    text = lines.pop() ?? '';
    for (const [index, line] of lines.entries()) {
      const subject = /^MSG (steward\.\S+)/.exec(line)?.[1];
      const payload = lines[index + 1];
      if (subject !== undefined && payload === undefined) text = `${line}\r\n${text}`;
      if (subject !== undefined && payload !== undefined)
        heard.push({ subject, payload: JSON.parse(payload) as HeardHint['payload'] });
      if (line === 'PING') socket.write('PONG\r\n');
    }
  });
  const login = { user: decodeURIComponent(username), pass: decodeURIComponent(password), verbose: false };
  // A message without headers is one line followed by its payload.
  socket.write(`CONNECT ${JSON.stringify({ ...login, headers: false })}\r\nSUB steward.> 1\r\nPING\r\n`);
  await once(socket, 'data');
  return { heard, close: () => void socket.destroy() };
}
