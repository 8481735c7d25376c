import { packBomb } from '@steward/testing';
import {
  buildAliases,
  buildEmptySpans,
  buildLines,
  buildMembers,
  buildNested,
  buildNestedProtobuf,
  buildParts,
  MB,
} from './bomb-bodies.ts';

/** Request that is meant to cause disproportionate cost. */
export interface RequestBomb {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly build: () => Buffer;
  /** Number of simultaneous requests. */
  readonly times: number;
  /** Error message about the limit. */
  readonly limit: RegExp;
  /** True if the response is a 200 whose body describes the error. */
  readonly isAnswered?: true;
  /**
   * True if the request costs no more than its size suggests, and is forwarded to the provider, which is unavailable.
   */
  readonly isPassedOn?: true;
  /** True if the request is sent to every path of model calls, which read their bodies in the same way. */
  readonly isRepeated?: true;
}

const JSON_TYPE = { 'content-type': 'application/json' };
/** Matches a message or a code that names the exceeded limit. */
const LIMIT = /at most|too[_ ](?:large|deep)|deeper than|different member names|more than once|twice|malformed_json/i;

const writeName = (index: number): string => `"m${index}":1`;

/** Lists the bombs for model calls, which use the attacked account's alias of a model of that provider. */
function listModelBombs(path: string, alias: string): RequestBomb[] {
  const call = { path, headers: JSON_TYPE, times: 1, limit: LIMIT, isRepeated: true } as const;
  const start = `{"model":"${alias}"`;
  const inMessage = { start: `${start},"messages":[{"role":"user"`, write: writeName, end: '}]}' };
  return [
    {
      ...call,
      name: 'a million members of one name',
      build: () => buildMembers({ count: 1_000_000, sizeBytes: 18 * MB }, { start, write: () => `"model":"${alias}"` }),
    },
    {
      ...call,
      name: 'two and a half million names',
      build: () => buildMembers({ count: 2_500_000, sizeBytes: 31 * MB }, { start, write: writeName }),
    },
    {
      ...call,
      name: 'two million escaped quotes in the model',
      limit: /model/i,
      build: () => Buffer.from(`{"model":"${'\\"'.repeat(2_000_000)}"}`),
    },
    {
      ...call,
      name: 'fifteen million escaped quotes in a message',
      isPassedOn: true,
      build: () => Buffer.from(`${start},"messages":[{"role":"user","content":"${'\\"'.repeat(15_000_000)}"}]}`),
    },
    {
      ...call,
      name: 'ten million turns',
      isPassedOn: true,
      build: () => Buffer.from(`${start},"messages":[1${',1'.repeat(10_000_000)}]}`),
    },
    { ...call, name: 'fifteen million levels', build: () => buildNested(15_000_000, `${start},"messages":`, '}') },
    {
      ...call,
      name: 'a million members of a message',
      isPassedOn: true,
      build: () => buildMembers({ count: 1_000_000, sizeBytes: 16 * MB }, inMessage),
    },
  ];
}

/** Lists JSON bombs with as many members and as much depth as the route's size limit allows. */
function listJsonBombs(path: string, sizeBytes: number, start: string, end: string): RequestBomb[] {
  const call = { path, headers: JSON_TYPE, times: 1, limit: LIMIT };
  return [
    {
      ...call,
      name: 'as many names as there is room for',
      build: () => buildMembers({ sizeBytes: sizeBytes - 100 }, { start, write: writeName, end }),
    },
    {
      ...call,
      name: 'as many levels as there is room for',
      build: () => buildNested(sizeBytes / 2 - 100, `${start},"y":`, end),
    },
  ];
}

function packBlanks(path: string, contentType: string, packing: 'gzip' | 'zstd' = 'gzip'): RequestBomb {
  return {
    name: `300 MB of blanks in 300 KB or less of ${packing}`,
    path,
    headers: { 'content-type': contentType, 'content-encoding': packing },
    times: 1,
    limit: /at most|encoding/i,
    build: () => packBomb(packing, 300 * MB),
  };
}

function validate(name: string, build: () => Buffer): RequestBomb {
  const headers = { 'content-type': 'application/yaml' };
  return { name, path: '/api/v1/policies/validate', headers, times: 20, limit: /./, isAnswered: true, build };
}

/** Builds a test of a call against a document with one condition, with arguments that make the condition slow. */
function tryCondition(name: string, condition: string, args: object): RequestBomb {
  const document = { version: '1', rules: [{ id: 'r', condition, action: 'deny' }] };
  const build = (): Buffer => Buffer.from(JSON.stringify({ tool_name: 'x', arguments: args, document }));
  const call = { path: '/api/v1/policies/test', headers: JSON_TYPE, times: 20, limit: /./, isAnswered: true as const };
  return { ...call, name, build };
}

function sendProtobuf(name: string, build: () => Buffer): RequestBomb {
  const headers = { 'content-type': 'application/x-protobuf' };
  return {
    name,
    path: '/otlp/v1/traces',
    headers,
    times: 1,
    limit: /more than \d+ fields|not an ExportTraceServiceRequest/,
    build,
  };
}

function sendParts(path: string): RequestBomb {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  return {
    name: 'a form of 30,000 files',
    path,
    headers,
    times: 5,
    limit: /Send the body as|at most|malformed_json/,
    build: () => buildParts(30_000),
  };
}

/** Malicious model calls, tool calls, imports, traces, content, documents and logins. */
export const REQUEST_BOMBS: readonly RequestBomb[] = [
  ...listModelBombs('/openai/v1/chat/completions', 'plain'),
  ...listModelBombs('/openai/v1/responses', 'plain'),
  ...listModelBombs('/openai/v1/embeddings', 'plain'),
  ...listModelBombs('/anthropic/v1/messages', 'other'),
  ...listModelBombs('/anthropic/v1/messages/count_tokens', 'other'),
  ...listJsonBombs(
    '/mcp/v1',
    MB,
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"x":1',
    '}}}',
  ),
  ...listJsonBombs('/api/v1/agents/permission-check', MB, '{"tool_name":"x","arguments":{"x":1', '}}'),
  ...listJsonBombs('/api/v1/runtime-sessions', 4 * MB, '{"session_source_type":"x"', '}'),
  ...listJsonBombs('/api/v1/policies/apply', 256 * 1024, '{"version":"1"', '}'),
  ...listJsonBombs('/otlp/v1/traces', 16 * MB, '{"x":1', '}'),
  packBlanks('/otlp/v1/traces', 'application/json'),
  packBlanks('/otlp/v1/traces', 'application/x-protobuf'),
  packBlanks('/api/v1/runtime-sessions/import?format=claude_code', 'application/x-ndjson'),
  packBlanks('/api/v1/runtime-sessions', 'application/json'),
  packBlanks('/openai/v1/chat/completions', 'application/json'),
  packBlanks('/openai/v1/responses', 'application/json', 'zstd'),
  packBlanks('/api/v1/runtime-sessions', 'application/json', 'zstd'),
  packBlanks('/mcp/v1', 'application/json'),
  validate('a document of 25,000 unknown keys', () => buildLines(25_000, (index) => `k${index}: 1`)),
  validate('a document whose aliases multiply', buildAliases),
  validate('a document of 20,000 levels', () => buildNested(20_000, 'version: ', '\n')),
  validate('a document of 3,000 rules', () =>
    Buffer.concat([
      Buffer.from("version: '1'\nrules:\n"),
      buildLines(3000, (index) => `  - { id: r${index}, match: { tools: ['a/b${index}'] }, action: deny }`),
    ]),
  ),
  tryCondition('loops in loops', 'args.a.all(x, args.a.all(y, args.a.all(z, x + y + z >= 0)))', {
    a: Array.from({ length: 2000 }, (_, index) => index),
  }),
  tryCondition('a pattern that goes back', "args.t.matches('(a+)+$')", { t: `${'a'.repeat(100_000)}!` }),
  tryCondition('a text that doubles', `${'['.repeat(20)}args.t${'].map(x, [x, x])'.repeat(20)}.size() > 0`, {
    t: 'a'.repeat(100_000),
  }),
  sendProtobuf('half a million levels', () => buildNestedProtobuf(500_000)),
  sendProtobuf('five million empty spans', () => buildEmptySpans(5_000_000)),
  sendParts('/api/v1/runtime-sessions/import?format=claude_code'),
  sendParts('/api/v1/auth/token'),
  sendParts('/openai/v1/chat/completions'),
  sendParts('/mcp/v1'),
  sendParts('/otlp/v1/traces'),
  {
    name: 'a form of 30,000 fields',
    path: '/api/v1/auth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    times: 1,
    limit: /./,
    build: () => buildLines(30_000, (index) => `f${index}=`, '&'),
  },
];
