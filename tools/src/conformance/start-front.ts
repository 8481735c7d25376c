import { request as send, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ListeningServer } from '../demo/start-tool-server.ts';
import { serveLocally } from '../servers/serve-locally.ts';

export interface FrontOptions {
  /** Of the gateway's door. */
  readonly url: string;
  readonly key: string;
  /** Of the tools of the suite, which the gateway calls by the prefix and these. */
  readonly names: readonly string[];
  readonly prefix: string;
}

/** The suite has no credential and names of its own for tools: both are put right here, and nothing else is touched. */
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
        void buffer(answer).then((whole) => {
          const text = whole.toString().replaceAll(`"name":"${prefix}`, '"name":"');
          const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = answer.headers;
          outgoing.writeHead(answer.statusCode ?? 502, kept).end(text);
        });
      });
      passed.end(body);
    })();
  });
  return { url: `${origin}/mcp`, close };
}

type Rename = (name: string) => string;

function renameCalled(body: string, rename: Rename): string {
  try {
    const message = JSON.parse(body) as { params?: { name?: unknown } };
    if (typeof message.params?.name !== 'string') return body;
    return JSON.stringify({ ...message, params: { ...message.params, name: rename(message.params.name) } });
  } catch {
    // What is no message is the gateway's to refuse.
    return body;
  }
}

/** Signs around the name are part of what the suite tries. */
function renameHeader(headers: IncomingHttpHeaders, rename: Rename): IncomingHttpHeaders {
  const name = headers['mcp-name'];
  return typeof name === 'string' ? { ...headers, 'mcp-name': rename(name) } : headers;
}
