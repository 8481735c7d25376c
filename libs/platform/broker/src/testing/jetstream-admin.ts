import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * The administrator who acts behind the product's back: deletes streams, reads dead letters, publishes what no contract allows. Spoken as
 * plain NATS text protocol, so the tests do not depend on the client package they are about.
 *
 * @returns the server's JSON answer. @throws with its description when it refuses.
 */
export async function askJetStream<Answer = unknown>(
  url: string,
  request: string,
  body: unknown = '',
): Promise<Answer> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const subject = request.startsWith('steward.') ? request : `$JS.API.${request}`;
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    socket.write('CONNECT {"verbose":false,"headers":true}\r\nSUB answer 1\r\n');
    socket.write(`PUB ${subject} answer ${Buffer.byteLength(payload)}\r\n${payload}\r\n`);
    const answer = JSON.parse(await readMessage(socket)) as { error?: { description: string } };
    if (answer.error !== undefined) throw new Error(`${request}: ${answer.error.description}`);
    return answer as Answer;
  } finally {
    socket.destroy();
  }
}

async function readMessage(socket: AsyncIterable<Buffer>): Promise<string> {
  let received = Buffer.alloc(0);
  for await (const data of socket) {
    received = Buffer.concat([received, data]);
    const head = /\r\nMSG answer 1 +(\d+)\r\n/.exec(received.toString('latin1'));
    if (head === null) continue;
    const start = head.index + head[0].length;
    const end = start + Number(head[1]);
    if (received.length >= end) return received.subarray(start, end).toString('utf8');
  }
  throw new Error('the server closed the connection');
}
