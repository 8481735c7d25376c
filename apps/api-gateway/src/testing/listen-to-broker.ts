import { connect } from 'node:net';

export interface BrokerListener {
  /** Returns everything received so far, as raw protocol text of the broker. */
  published(): string;
  close(): void;
}

/** Receives everything that is published from now on. */
export async function listenToBroker(url: string): Promise<BrokerListener> {
  const { hostname, port, username, password } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  let published = '';
  let isGreeted = false;
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      published += text;
      if (!isGreeted && text.startsWith('INFO')) {
        isGreeted = true;
        const login = { verbose: false, pedantic: false, user: username, pass: password, lang: 'test', version: '1' };
        socket.write(`CONNECT ${JSON.stringify(login)}\r\nSUB > 1\r\nPING\r\n`);
      }
      if (text.includes('PING')) socket.write('PONG\r\n');
      if (published.includes('PONG')) resolve();
    });
  });
  return { published: () => published, close: () => void socket.destroy() };
}
