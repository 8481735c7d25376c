import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import { deepLists, emptyLists, manyMembers } from './json-bombs.ts';
import { PACKINGS, packBomb, type Packing } from './packed-bomb.ts';

/** Unpacked size of a packed bomb. */
const PACKED_BYTES = 300 * 1024 * 1024;
const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const EVENTS_TYPE = { 'content-type': 'text/event-stream' };
const TICK_MS = 100;

type Answer = (response: ServerResponse, id: unknown) => void;

const packed = new Map<Packing, Buffer>();
function readPacked(packing: Packing): Buffer {
  const bytes = packed.get(packing) ?? packBomb(packing, PACKED_BYTES);
  packed.set(packing, bytes);
  return bytes;
}

/** Builds the bytes when they are first read: a bomb is sent dozens of times. */
function buildOnce(build: () => Buffer): () => Buffer {
  let built: Buffer | undefined;
  return () => (built ??= build());
}

function answerPacked(encoding: string, read: () => Buffer, status = 200, type: object = JSON_TYPE): Answer {
  return (response) => void response.writeHead(status, { ...type, 'content-encoding': encoding }).end(read());
}

/** Responds with a JSON-RPC result whose last member ends with these bytes. */
function sendResult(response: ServerResponse, id: unknown, members: string, bytes: Buffer): void {
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id ?? 1)},"result":{${members}`);
  response.writeHead(200, JSON_TYPE).end(Buffer.concat([head, bytes, Buffer.from('}}')]));
}

/** Responds with a JSON-RPC result that contains the bomb. */
function answerWhole(build: () => Buffer): Answer {
  const read = buildOnce(build);
  return (response, id) => sendResult(response, id, '"content":[],"tools":[],"x":', read());
}

const TOOL = { name: 'boom', inputSchema: { type: 'object' } };
function wideSchema(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, {}]));
}

function answerTools(build: () => readonly object[]): Answer {
  const readTools = buildOnce(() => Buffer.from(JSON.stringify(build())));
  return (response, id) => sendResult(response, id, '"content":[],"tools":', readTools());
}

/** Sends the same part repeatedly, as fast as the receiver accepts it. */
function answerEndless(head: object, begin: string, part: Buffer): Answer {
  return (response) => {
    response.writeHead(200, { ...head }).write(begin);
    Readable.from(repeatForever(part), { objectMode: false })
      .on('error', () => undefined)
      .pipe(response);
  };
}

function* repeatForever(part: Buffer): Generator<Buffer> {
  for (;;) yield part;
}

/** Sends one byte at a time, forever. */
function answerSlowly(head: object, begin: string): Answer {
  return (response) => {
    response.writeHead(200, { ...head }).write(begin);
    const timer = setInterval(() => response.write('x'), TICK_MS);
    response.once('close', () => clearInterval(timer));
  };
}

const event = (value: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...value })}\n\n`;
const PROGRESS = { method: 'notifications/progress', params: { progressToken: 0, progress: 1 } };
const repeat = (text: string): Buffer => Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));

/**
 * Responses that cost their receiver far more than their sender. Each function gets a response and the id of the
 * JSON-RPC request, if there is one.
 */
export const BOMB_ANSWERS = {
  gzip: answerPacked('gzip', () => readPacked('gzip')),
  deflate: answerPacked('deflate', () => readPacked('deflate')),
  br: answerPacked('br', () => readPacked('br')),
  zstd: answerPacked('zstd', () => readPacked('zstd')),
  /** Data of 300 MiB that is a few hundred bytes when compressed twice. */
  'gzip twice': answerPacked(
    'gzip, gzip',
    buildOnce(() => gzipSync(readPacked('gzip'))),
  ),
  'gzip refusal': answerPacked('gzip', () => readPacked('gzip'), 400),
  'gzip events': answerPacked('gzip', () => readPacked('gzip'), 200, EVENTS_TYPE),
  'empty lists': answerWhole(() => emptyLists(3.9 * MIB)),
  'many members': answerWhole(() => manyMembers(400_000)),
  /** Response within every limit of the protocol and of one response: only the processing time is excessive. */
  'many tools': answerTools(() => Array.from({ length: 12_000 }, (_, index) => ({ ...TOOL, name: `t${index}` }))),
  'wide tool': answerTools(() => [{ ...TOOL, inputSchema: { type: 'object', properties: wideSchema(23_000) } }]),
  'deep lists': answerWhole(() => deepLists(100_000)),
  'endless text': answerEndless(JSON_TYPE, '{"text":"', repeat('x')),
  'endless values': answerEndless(JSON_TYPE, '[', repeat('[],')),
  'endless events': answerEndless(EVENTS_TYPE, '', repeat(event(PROGRESS))),
  'endless event': answerEndless(EVENTS_TYPE, 'data: ', repeat('x')),
  'endless comments': answerEndless(EVENTS_TYPE, '', repeat(': \n')),
  /** Endless pings, each of which requires a response from its receiver. */
  'endless pings': answerEndless(EVENTS_TYPE, '', repeat(event({ id: 1, method: 'ping' }))),
  'slow text': answerSlowly(JSON_TYPE, '{"text":"'),
  'slow events': answerSlowly(EVENTS_TYPE, ': '),
  'large header': (response) =>
    void response.writeHead(200, { ...JSON_TYPE, 'x-large': 'x'.repeat(8 * MIB) }).end('{}'),
  silence: () => undefined,
} satisfies Readonly<Record<string, Answer>>;

export type BombKind = keyof typeof BOMB_ANSWERS;
export const BOMB_KINDS = Object.keys(BOMB_ANSWERS) as readonly BombKind[];
/** Bombs that end when their receiver recognizes them; the others continue without limit. */
export const QUICK_BOMB_KINDS = BOMB_KINDS.filter((kind) => !['slow text', 'slow events', 'silence'].includes(kind));

/** Creates the packed bombs before the clock of a test starts: brotli compression of 300 MiB takes a while. */
export function preparePackedBombs(): void {
  PACKINGS.forEach(readPacked);
}
