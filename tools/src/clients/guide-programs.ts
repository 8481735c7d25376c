import { listBlocks } from '../e2e/documented-commands.ts';
import { AGENT_TITLE } from './plan.ts';
import { INPUT_TOKENS } from './start-planned-provider.ts';

/**
 * Program in a guide that needs packages that are not in the repository, or shell commands that start such a program.
 */
export interface GuideProgram {
  readonly name: string;
  /** Names in tools/clients by the names of packages in the program. Undefined for shell commands. */
  readonly packages?: Readonly<Record<string, string>>;
  readonly text: string;
  /** Output that the program is expected to print. */
  readonly prints?: string;
  /**
   * Id of the conversation by which, according to the guide, the session can be found. Undefined if the program does
   * not name a conversation.
   */
  readonly conversation?: string;
  readonly models: readonly string[];
  /** Number of model calls that are stored; 0 if it calls no model. */
  readonly calls: number;
}

const OTLP = 'docs/use/otlp.md';
const GATEWAY = 'docs/use/model-gateway.md';

function findBlock(page: string, begins: string): string {
  const block = listBlocks().find(({ page: of, text }) => of === page && text.startsWith(begins));
  if (block === undefined) throw new Error(`${page} has no block that begins with ${begins}`);
  return block.text;
}

const OTEL = ['api', 'exporter-trace-otlp-proto', 'sdk-node'].map((name) => `@opentelemetry/${name}`);
const inOtel = (folder: string) => Object.fromEntries(OTEL.map((name) => [name, `${folder}${name}`]));
const OTEL_2 = inOtel('');
const OTEL_3 = inOtel('@steward/clients-otel-v3/node_modules/');

const withExporter = (rest: string): string =>
  [
    `import { trace } from '@opentelemetry/api';`,
    findBlock(OTLP, 'import { OTLPTraceExporter }'),
    rest,
    // This sends the spans that the program in the guide would send if it continued.
    'await trace.getTracerProvider().getDelegate().forceFlush();',
  ].join('\n');

/** Code of an instrumentation that describes a call with OpenTelemetry's names. */
const SPAN = `trace.getTracer('shop').startActiveSpan('chat gpt-5', (span) => {
  const words = (role, content) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
  span.setAttributes({
    'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'gpt-5',
    'gen_ai.conversation.id': 'chat-17', 'gen_ai.usage.input_tokens': ${INPUT_TOKENS}, 'gen_ai.usage.output_tokens': 1,
    'gen_ai.input.messages': words('user', 'Hello'), 'gen_ai.output.messages': words('assistant', '${AGENT_TITLE}'),
  });
  span.end();
});`;

const LANGFUSE = `await propagateAttributes({ sessionId: 'chat-17' }, () =>
  startActiveObservation('run', async (run) => {
    run.update({ input: 'Hello', output: '${AGENT_TITLE}' });
    const call = run.startObservation('llm', { model: 'gpt-5', input: [{ role: 'user', content: 'Hello' }] }, { asType: 'generation' });
    call.update({ output: { role: 'assistant', content: '${AGENT_TITLE}' }, usageDetails: { input: ${INPUT_TOKENS}, output: 1 } });
    call.end();
  }, { asType: 'agent' }));`;

/**
 * Lists the programs in the guides.
 * @param origin - Origin of the model provider's URL
 */
export function listGuidePrograms(origin: string): readonly GuideProgram[] {
  const [, seventh = '', earlier = ''] = /(.*)(\/\/ Versions 4 to 6.*)/s.exec(findBlock(OTLP, '// Version 7')) ?? [];
  const [langfuseImport = '', ...langfuse] = findBlock(OTLP, 'import { LangfuseSpanProcessor }').split('\n');
  const told = { conversation: 'chat-17', models: ['gpt-5'], calls: 1 };
  const openai = `import { createOpenAI } from '@ai-sdk/openai';\nconst openai = createOpenAI({ baseURL: '${origin}/v1', apiKey: 'none' });`;
  const vercel = (version: number, imports: string, rest: string): GuideProgram => ({
    ...told,
    name: `Vercel AI SDK ${version}`,
    packages: {
      ...OTEL_2,
      ...{ ai: `ai-v${version}`, '@ai-sdk/openai': `ai-openai-v${version - 3}`, '@ai-sdk/otel': '@ai-sdk/otel' },
    },
    text: withExporter(`${imports}\n${openai}\n${rest}`),
  });
  return [
    { ...told, name: 'OpenTelemetry 2', packages: OTEL_2, text: withExporter(SPAN) },
    { ...told, name: 'OpenTelemetry 3', packages: OTEL_3, text: withExporter(SPAN) },
    {
      ...told,
      name: 'Langfuse',
      packages: { ...OTEL_2, '@langfuse/otel': '@langfuse/otel', '@langfuse/tracing': '@langfuse/tracing' },
      text: withExporter(
        [
          langfuseImport,
          `import { propagateAttributes, startActiveObservation } from '@langfuse/tracing';`,
          ...[...langfuse, LANGFUSE],
        ].join('\n'),
      ).replace(/^new NodeSDK\(\{ serviceName.*$/m, ''),
    },
    ...[4, 5, 6].map((version) => vercel(version, `import { generateText } from 'ai';`, earlier)),
    vercel(
      7,
      `import { generateText, registerTelemetry } from 'ai';\nimport { OpenTelemetry } from '@ai-sdk/otel';`,
      seventh,
    ),
    {
      name: 'Vercel AI SDK 7, gateway',
      packages: { ai: 'ai-v7', '@ai-sdk/openai': 'ai-openai-v4', '@ai-sdk/anthropic': '@ai-sdk/anthropic' },
      text: [
        `import { generateText } from 'ai';`,
        findBlock(GATEWAY, 'import { createAnthropic }'),
        `await generateText({ model: anthropic('careful'), prompt: 'Hello' });`,
      ].join('\n'),
      models: ['fast', 'careful'],
      calls: 2,
    },
    {
      name: 'Claude Code, gateway',
      text: findBlock(GATEWAY, 'export ANTHROPIC_BASE_URL').replace(/^claude$/m, 'claude -p Hello'),
      models: ['careful'],
      calls: 1,
    },
    {
      name: 'Qwen Code, gateway',
      text: findBlock(GATEWAY, 'export OPENAI_BASE_URL').replace(/^qwen .*/m, '$& -p Hello'),
      models: ['fast'],
      // The program calls its model once more, to choose the next speaker.
      calls: 2,
    },
    {
      name: 'Claude Code, tools',
      text: `${findBlock('docs/use/mcp.md', 'claude mcp add')}\nclaude mcp list`,
      prints: 'Connected',
      models: [],
      calls: 0,
    },
  ];
}
