import { Server, type CallToolResult, type Tool } from '@modelcontextprotocol/server';
import { listenMcp, type ListeningServer } from '../demo/start-tool-server.ts';

type Report = (progress: number, total: number) => Promise<void>;

interface SuiteTool extends Tool {
  readonly run: (report: Report) => Promise<CallToolResult> | CallToolResult;
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';
const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };

function tool(name: string, content: CallToolResult['content'], isError = false): SuiteTool {
  const definition = { name, description: `The tool ${name}.`, inputSchema: { type: 'object' as const } };
  return { ...definition, run: () => ({ content, ...(isError ? { isError } : {}) }) };
}

/** Whatever schemas may have: it is asked for as it is. */
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

/** The tools that the suite calls, as its scenarios ask for them. */
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
  { ...tool('json_schema_2020_12_tool', [text('ok')]), inputSchema: SCHEMA },
  {
    ...tool('test_custom_header', [text('ok')]),
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  },
];

/** Their names. */
export const SUITE_TOOLS = TOOLS.map(({ name }) => name);

/** A server of the tools that the suite of the protocol looks for. */
export function startSuiteServer(): Promise<ListeningServer> {
  return listenMcp(0, () => {
    const server = new Server({ name: 'suite', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: TOOLS.map(({ run: _run, ...definition }) => definition) }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const progressToken = params._meta?.progressToken;
      const found = TOOLS.find(({ name }) => name === params.name);
      if (found === undefined) throw new Error(`no tool ${params.name}`);
      return found.run(async (progress, total) => {
        if (progressToken === undefined) return;
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total } });
      });
    });
    return server;
  });
}
