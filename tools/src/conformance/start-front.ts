import { request as send, type IncomingHttpHeaders } from 'node:http';
import { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ListeningServer } from '../demo/start-tool-server.ts';
import { serveLocally } from '../servers/serve-locally.ts';

export interface FrontOptions {
  /** URL of the tool gateway. */
  readonly url: string;
  readonly key: string;
  /** Names of the suite's tools and prompts, which the gateway offers with a prefix. */
  readonly names: readonly string[];
  readonly prefix: string;
}

/**
 * Starts a proxy that only adds the credential and changes the names: the suite has no credential, and uses its own
 * tool names.
 */
export async function startFront({ url, key, names, prefix }: FrontOptions): Promise<ListeningServer> {
  const target = new URL(url);
  const rename = (name: string): string => (names.includes(name.trim()) ? name.replace(/\S+/, `${prefix}$&`) : name);
  const { origin, close } = await serveLocally((incoming, outgoing) => {
    void (async () => {
      const body = renameCalled((await buffer(incoming)).toString(), rename);
      const headers = { ...renameHeader(incoming.headers, rename), authorization: `Bearer ${key}` };
      const length = { 'content-length': Buffer.byteLength(body) };
      const passed = send(target, { method: incoming.method ?? 'POST', headers: { ...headers, ...length } });
      passed.once('error', () => outgoing.destroy());
      passed.once('response', (answer) => {
        const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, kept);
        outgoing.flushHeaders();
        outgoing.once('close', () => passed.destroy());
        void pipeline(
          answer,
          createLines((line) => line.replaceAll(`"name":"${prefix}`, '"name":"')),
          outgoing,
        ).catch(() => undefined);
      });
      passed.end(body);
    })();
  });
  return { url: `${origin}/mcp`, close };
}

/**
 * Creates a stream that passes each line on as soon as it is complete, because a stream stays open, and each message is
 * on one line.
 */
function createLines(change: (line: string) => string): Transform {
  let rest = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lines = (rest + chunk.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      done(null, Buffer.from(lines.map((line) => `${change(line)}\n`).join(''), 'latin1'));
    },
    flush: (done) => done(null, Buffer.from(change(rest), 'latin1')),
  });
}

type Rename = (name: string) => string;

function renameCalled(body: string, rename: Rename): string {
  try {
    const message = JSON.parse(body) as { params?: { name?: unknown; ref?: { name?: unknown } } };
    const { params } = message;
    if (typeof params?.ref?.name === 'string') params.ref.name = rename(params.ref.name);
    if (typeof params?.name === 'string') params.name = rename(params.name);
    return JSON.stringify(message);
  } catch {
    // Invalid messages are passed on, because the gateway itself has to refuse them.
    return body;
  }
}

/** Changes the name in a header. The suite also tests names surrounded by special characters. */
function renameHeader(headers: IncomingHttpHeaders, rename: Rename): IncomingHttpHeaders {
  const name = headers['mcp-name'];
  return typeof name === 'string' ? { ...headers, 'mcp-name': rename(name) } : headers;
}
