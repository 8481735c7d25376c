import { connect } from 'node:net';

/** Checks that a NATS server responds: it sends an INFO line to each client that connects. */
export function probeNats(port: number, host = '127.0.0.1'): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    socket.setTimeout(2000, () => socket.destroy(new Error('no greeting')));
    socket.once('error', reject);
    // A port forwarder accepts clients before the server to which it forwards does, and then disconnects them.
    socket.once('close', () => reject(new Error('closed without a greeting')));
    socket.once('data', (data) => {
      socket.destroy();
      if (data.toString('utf8').startsWith('INFO ')) resolve();
      else reject(new Error('not a NATS server'));
    });
  });
}
