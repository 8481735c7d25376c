import { sendJson, startRawToolServer, type RawToolAnswer, type RawToolServer } from '@steward/testing';
import { createToolServerClient } from '../create-tool-server-client.ts';
import type { ToolServerClient, ToolServerTarget } from '../tool-server-client.ts';

const closing: { close(): Promise<void> }[] = [];

/** Closes all servers and clients of a test; called after each test. */
export async function endTalks(): Promise<void> {
  for (const each of closing.splice(0).reverse()) await each.close();
}

export interface Talk {
  readonly server: RawToolServer;
  readonly client: ToolServerClient;
  readonly target: ToolServerTarget;
  readonly call: (
    args?: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ) => ReturnType<ToolServerClient['callTool']>;
  readonly list: () => ReturnType<ToolServerClient['listTools']>;
}

/** Starts a server with the test's responses, and a client that talks to it. */
export async function talk(
  options: Parameters<typeof startRawToolServer>[0],
  more: Partial<ToolServerTarget> = {},
): Promise<Talk> {
  const server = await startRawToolServer(options);
  const client = createToolServerClient({ insecureOrigins: [new URL(server.url).origin] });
  closing.push(server, client);
  const target = { key: 'key', name: 'odd', url: server.url, headers: {}, ...more };
  const never = new AbortController().signal;
  return {
    server,
    client,
    target,
    call: (args = {}, signal = never) =>
      client.callTool(target, { name: 'go', arguments: args, caller: 'somebody', traceparent: '', signal }),
    list: () => client.listTools(target, never),
  };
}

/** Returns a response with this result, byte for byte. */
export const answer =
  (result: string): RawToolAnswer =>
  ({ id }, response) =>
    sendJson(response, `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
export const ok = answer('{"content":[{"type":"text","text":"ran"}]}');
