import { request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveLocally, type LocalServer } from '../servers/serve-locally.ts';

export interface LosingProxy extends LocalServer {
  /** Sets the origin to which requests are forwarded. */
  forwardTo(origin: string): void;
  /** Loses the response to the next request whose body contains this text: the connection ends after the response. */
  loseNext(text: string): void;
  /** Number of responses lost so far. */
  countLost(): number;
}

/** Starts a proxy that forwards requests to an API and can lose a response, as a failing API or network does. */
export async function startLosingProxy(): Promise<LosingProxy> {
  let target = '';
  let marked: string | undefined;
  let lost = 0;
  const server = await serveLocally((incoming, outgoing) => {
    (async () => {
      const body = await buffer(incoming);
      const isLost = marked !== undefined && body.includes(marked);
      if (isLost) marked = undefined;
      const { host: _host, ...headers } = incoming.headers;
      const forwarded = send(new URL(incoming.url ?? '/', target), { method: incoming.method ?? 'GET', headers });
      forwarded.once('error', () => outgoing.destroy());
      forwarded.once('response', (answer) => {
        if (isLost) {
          answer.resume().once('end', () => {
            lost += 1;
            outgoing.destroy();
          });
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      forwarded.end(body);
    })().catch(() => outgoing.destroy());
  });
  return {
    ...server,
    forwardTo: (origin) => {
      target = origin;
    },
    loseNext: (text) => {
      marked = text;
    },
    countLost: () => lost,
  };
}
