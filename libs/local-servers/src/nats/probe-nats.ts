import { connect } from 'node:net';

/** The server greets with an INFO line once it takes clients. */
export function probeNats(port: number, host = '127.0.0.1'): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    socket.setTimeout(2000, () => socket.destroy(new Error('no greeting')));
    socket.once('error', reject);
    // What forwards a published port takes clients before the server behind it does, and then leaves them.
    socket.once('close', () => reject(new Error('closed without a greeting')));
    socket.once('data', (data) => {
      socket.destroy();
      if (data.toString('utf8').startsWith('INFO ')) resolve();
      else reject(new Error('not a NATS server'));
    });
  });
}
