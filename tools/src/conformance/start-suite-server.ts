import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type CallToolResult,
  type ContentBlock,
  type Tool,
} from '@modelcontextprotocol/server';
import { listenMcp, type ListeningServer } from '../demo/start-tool-server.ts';

type Report = (progress: number, total: number) => Promise<void>;
type Log = (text: string) => Promise<void>;

interface SuiteTool extends Tool {
  readonly run: (report: Report, log: Log) => Promise<CallToolResult> | CallToolResult;
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';
const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };

function tool(name: string, content: CallToolResult['content'], isError = false): SuiteTool {
  const definition = { name, description: `The tool ${name}.`, inputSchema: { type: 'object' as const } };
  return { ...definition, run: () => ({ content, ...(isError ? { isError } : {}) }) };
}

/** Schema that uses many features; it must be returned unchanged. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** Tools called by the suite's scenarios. */
const TOOLS: readonly SuiteTool[] = [
  tool('test_simple_text', [text('This is a simple text response for testing.')]),
  tool('test_image_content', [image]),
  tool('test_audio_content', [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }]),
  tool('test_embedded_resource', [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ]),
  tool('test_multiple_content_types', [
    text('Multiple content types test:'),
    image,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    },
  ]),
  tool('test_error_handling', [text('This tool intentionally returns an error for testing')], true),
  {
    ...tool('test_tool_with_progress', []),
    run: async (report) => {
      for (const progress of [0, 50, 100]) await report(progress, 100);
      return { content: [text('done')] };
    },
  },
  {
    ...tool('test_tool_with_logging', []),
    run: async (_report, log) => {
      for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
        await log(line);
      return { content: [text('done')] };
    },
  },
  { ...tool('json_schema_2020_12_tool', [text('ok')]), inputSchema: SCHEMA },
  {
    ...tool('test_custom_header', [text('ok')]),
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  },
];

const prompt = (name: string, ...args: string[]) => ({
  name,
  description: `The prompt ${name}.`,
  arguments: args.map((each) => ({ name: each, description: `The argument ${each}.`, required: true })),
});
const PROMPTS = [
  prompt('test_simple_prompt'),
  prompt('test_prompt_with_arguments', 'arg1', 'arg2'),
  prompt('test_prompt_with_embedded_resource', 'resourceUri'),
  prompt('test_prompt_with_image'),
];

/** Names of the tools and prompts. */
export const SUITE_NAMES = [...TOOLS, ...PROMPTS].map(({ name }) => name);

const RESOURCES = [
  { uri: 'test://static-text', name: 'Static text', description: 'A text.', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'Static binary', description: 'An image.', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'Watched', description: 'A text that changes.', mimeType: 'text/plain' },
];
const TEMPLATES = [
  { uriTemplate: 'test://template/{id}/data', name: 'Template', description: 'By id.', mimeType: 'application/json' },
];

function readResource(uri: string) {
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: PIXEL };
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id !== undefined)
    return {
      uri,
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    };
  if (RESOURCES.every((resource) => resource.uri !== uri)) throw new ResourceNotFoundError(uri);
  return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
}

function getPrompt(name: string, args: Readonly<Record<string, string>>) {
  const say = (content: ContentBlock) => ({ role: 'user' as const, content });
  const resource = {
    uri: args['resourceUri'] ?? 'test://x',
    mimeType: 'text/plain',
    text: 'Embedded resource content for testing.',
  };
  switch (name) {
    case 'test_simple_prompt':
      return [say(text('This is a simple prompt for testing.'))];
    case 'test_prompt_with_arguments':
      return [say(text(`Prompt with arguments: arg1='${args['arg1'] ?? ''}', arg2='${args['arg2'] ?? ''}'`))];
    case 'test_prompt_with_embedded_resource':
      return [say({ type: 'resource', resource }), say(text('Please process the embedded resource above.'))];
    case 'test_prompt_with_image':
      return [say(image), say(text('Please analyze the image above.'))];
    default:
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no prompt ${name}`);
  }
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/** Starts a server with all features that the conformance suite of the protocol tests. */
export function startSuiteServer(): Promise<ListeningServer> {
  return listenMcp(0, () => {
    const server = new Server({ name: 'suite', version: '1' }, { capabilities: CAPABILITIES });
    server.setRequestHandler('tools/list', () => ({ tools: TOOLS.map(({ run: _run, ...definition }) => definition) }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const progressToken = params._meta?.progressToken;
      const found = TOOLS.find(({ name }) => name === params.name);
      if (found === undefined) throw new Error(`no tool ${params.name}`);
      const report: Report = async (progress, total) => {
        if (progressToken === undefined) return;
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total } });
      };
      return found.run(report, (data) => mcpReq.log('info', data));
    });
    server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }));
    server.setRequestHandler('resources/read', ({ params }) => ({ contents: [readResource(params.uri)] }));
    server.setRequestHandler('resources/subscribe', () => ({}));
    server.setRequestHandler('resources/unsubscribe', () => ({}));
    server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS }));
    server.setRequestHandler('prompts/get', ({ params }) => ({
      description: `The prompt ${params.name}.`,
      messages: getPrompt(params.name, params.arguments ?? {}),
    }));
    server.setRequestHandler('completion/complete', () => ({ completion: { values: ['paris', 'park'], total: 2 } }));
    return server;
  });
}
