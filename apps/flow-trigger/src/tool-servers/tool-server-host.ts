import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  HOSTED_SERVER_CONTEXT,
  HOSTED_SERVER_HEADER,
  HOSTED_SERVER_LOG_PATH,
  HOSTED_SERVER_PATH,
  HOSTED_SERVER_PROGRAMS_PATH,
  type HostedServer,
} from '@steward/contracts';
import type { SecretBox } from '@steward/crypto';
import type { Component, Logger } from '@steward/process';
import { readMessage, type Conversation } from './conversation.ts';
import { createPrograms, type Programs, type ProgramsOptions } from './programs.ts';

export interface ToolServerHostOptions extends ProgramsOptions {
  readonly host: string;
  readonly port: number;
  /** Decrypts the commands that the gateway has sealed; requests without such a command are refused. */
  readonly box: Pick<SecretBox, 'open'>;
  readonly logger: Logger;
}

const SESSION = 'mcp-session-id';
/** Maximum size of a body: the gateway's limit for client requests, plus the data that the gateway adds. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
/**
 * Maximum size of the headers: enough for the longest command (MCP-11) at three bytes per character, sealed and in
 * base64.
 */
const MAX_HEADER_BYTES = 128 * 1024;
const LOOK_EVERY_MS = 1000;

/**
 * Runs tool servers that are programs, for all accounts, and serves them as MCP servers on a port that only the gateway
 * uses. Each session has its own program, and both end together: at the request of the gateway, after being idle for a
 * while, or because the program ends. The gateway starts another session for its next request.
 */
export function createToolServerHost(options: ToolServerHostOptions): Component {
  const { logger, box } = options;
  const programs = createPrograms(options);
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    void answer(programs, box, { request, response }).catch((error: unknown) => {
      logger.error('tool_server.host_failed', { error });
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  let timer: NodeJS.Timeout | undefined;
  return {
    name: 'tool servers that are programs',
    async start() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(options.port, options.host, resolve);
      });
      timer = setInterval(() => programs.endIdle(), LOOK_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      server.close();
      await programs.endAll();
      server.closeAllConnections();
    },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function answer(
  programs: Programs,
  box: Pick<SecretBox, 'open'>,
  { request, response }: Exchange,
): Promise<void> {
  const hosted = readHosted(request, box);
  if (hosted === undefined) return refuse(response, 401, 'This port accepts requests only from the API of Steward.');
  const { pathname } = new URL(request.url ?? '', 'http://host');
  const id = String(request.headers[SESSION] ?? '');
  const conversation = programs.find(id, hosted);
  switch (`${String(request.method)} ${pathname}`) {
    case `GET ${HOSTED_SERVER_LOG_PATH}`:
      return sendJson(response, { lines: programs.readLog(hosted) });
    case `DELETE ${HOSTED_SERVER_PROGRAMS_PATH}`:
      return sendJson(response, { ended: programs.endServer(hosted) });
    case `DELETE ${HOSTED_SERVER_PATH}`:
      programs.end(id, hosted);
      return void response.writeHead(204).end();
    case `POST ${HOSTED_SERVER_PATH}`: {
      const text = await readBody(request);
      const message = text === undefined ? undefined : readMessage(text);
      if (text === undefined || message === undefined) return refuse(response, 400, 'The body is not a valid message.');
      const sent = { message, text: text.replaceAll(/\s*\n\s*/g, ' ') };
      if (message['method'] === 'initialize') return begin(programs, hosted, { sent, response });
      return conversation === undefined ? refuseUnknown(message, response) : pass(conversation, sent, response);
    }
    default:
      return void response.writeHead(405, { allow: 'POST, DELETE' }).end();
  }
}

interface Sent {
  readonly message: Readonly<Record<string, unknown>>;
  /** The message on one line. */
  readonly text: string;
}

function begin(
  programs: Programs,
  hosted: HostedServer,
  { sent, response }: { readonly sent: Sent; readonly response: ServerResponse },
): void {
  if (hosted.expires_at < Date.now()) return refuse(response, 401, 'The sealed request is too old.');
  const begun = programs.begin(hosted);
  if ('refusal' in begun) return refuse(response, 503, begun.refusal);
  response.setHeader(SESSION, begun.id);
  stream(begun.conversation, sent, response);
}

/**
 * Refuses a message without a known session. `server/discover`, a method of the 2026 revision, is refused as unknown:
 * programs use the earlier revision, which has sessions.
 */
function refuseUnknown({ method, id = null }: Sent['message'], response: ServerResponse): void {
  const isProbe = method === 'server/discover';
  const error = isProbe ? { code: -32_601, message: 'none' } : { code: -32_001, message: 'Session not found' };
  sendJson(response, { jsonrpc: '2.0', id, error }, 404);
}

function pass(conversation: Conversation, sent: Sent, response: ServerResponse): void {
  if (sent.message['method'] !== undefined && sent.message['id'] !== undefined)
    return stream(conversation, sent, response);
  if (!conversation.tell(sent.text)) return refuse(response, 503, 'The program does not read its input.');
  response.writeHead(202).end();
}

function stream(conversation: Conversation, { message, text }: Sent, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  conversation.ask(message, text, response);
}

function readHosted({ headers }: IncomingMessage, box: Pick<SecretBox, 'open'>): HostedServer | undefined {
  try {
    const sealed = Buffer.from(String(headers[HOSTED_SERVER_HEADER] ?? ''), 'base64');
    return JSON.parse(box.open(sealed, HOSTED_SERVER_CONTEXT)) as HostedServer;
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendJson(response, { error: message }, status);
}
