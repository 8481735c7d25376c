import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Speaks the plain NATS text protocol to the broker, so that the tests do not depend on the client package that they
 * test. It acts as the administrator who deletes streams, reads dead letters and publishes messages outside the
 * contract, or as an intruder with an app's credentials.
 *
 * @returns the server's JSON reply
 * @throws the server's description of a refusal
 */
export async function askJetStream<Answer = unknown>(
  url: string,
  request: string,
  body: unknown = '',
): Promise<Answer> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const subject = /^[$_]|^steward\./.test(request) ? request : `$JS.API.${request}`;
  const inbox = buildInbox(url);
  const text = await converse(url, [
    `SUB ${inbox} 1`,
    `PUB ${subject} ${inbox} ${Buffer.byteLength(payload)}\r\n${payload}`,
  ]);
  const answer = JSON.parse(text) as { error?: { description: string } };
  if (answer.error !== undefined) throw new Error(`${request}: ${answer.error.description}`);
  return answer as Answer;
}

/**
 * Subscribes and waits for the server's reply.
 * @throws the server's description of a refusal
 */
export async function trySubscribe(url: string, subject: string): Promise<void> {
  await converse(url, [`SUB ${subject} 1`, 'PING'], /\r\nPONG\r\n/);
}

function buildInbox(url: string): string {
  const { username } = new URL(url);
  return `_INBOX.${username === '' ? 'anybody' : username}.${randomUUID()}`;
}

/** Sends the lines and waits for a message, or for a line that matches `end`; returns it. */
async function converse(url: string, lines: readonly string[], end?: RegExp): Promise<string> {
  const { hostname, port, username: user, password: pass } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    const login = { verbose: false, headers: true, ...(user === '' ? {} : { user, pass }) };
    socket.write([`CONNECT ${JSON.stringify(login)}`, ...lines, ''].join('\r\n'));
    return await readUntil(socket, end);
  } finally {
    socket.destroy();
  }
}

async function readUntil(socket: AsyncIterable<Buffer>, end: RegExp | undefined): Promise<string> {
  let received = Buffer.alloc(0);
  for await (const data of socket) {
    received = Buffer.concat([received, data]);
    const text = received.toString('latin1');
    const refusal = /-ERR '([^\r]*)'\r\n/.exec(text)?.[1];
    if (refusal !== undefined) throw new Error(refusal);
    if (end?.test(text) === true) return text;
    const head = /\r\nMSG \S+ 1 +(\d+)\r\n/.exec(text);
    if (head === null) continue;
    const start = head.index + head[0].length;
    const length = Number(head[1]);
    if (received.length >= start + length) return received.subarray(start, start + length).toString('utf8');
  }
  throw new Error('the server closed the connection');
}
