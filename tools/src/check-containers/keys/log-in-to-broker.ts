import { connect } from 'node:net';
import { eventually } from '@steward/testing';

/**
 * Logs in to the broker with the login in this URL.
 * @throws with the broker's message if the broker refuses
 */
export async function logInToBroker(text: string): Promise<void> {
  const url = new URL(text);
  const answer = await eventually(() => ask(url), { timeoutMs: 15_000, intervalMs: 100 });
  if (!answer.includes('PONG')) throw new Error(`the broker refuses ${url.username}: ${answer}`);
}

/** Returns the broker's message; undefined if no server is listening. */
function ask(url: URL): Promise<string | undefined> {
  const login = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password), verbose: false };
  return new Promise((resolve) => {
    let said = '';
    const socket = connect({ host: url.hostname, port: Number(url.port || 4222), timeout: 5000 });
    const end = (answer: string | undefined): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('error', () => end(undefined)).once('timeout', () => end(undefined));
    socket.setEncoding('utf8').on('data', (data: string) => {
      if (said === '') socket.write(`CONNECT ${JSON.stringify(login)}\r\nPING\r\n`);
      said += data;
      if (/PONG|-ERR/.test(said)) end(/PONG|-ERR [^\r]*/.exec(said)?.[0]);
    });
  });
}
