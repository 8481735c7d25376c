import { renderTypes } from '../render-api-types.ts';
import { readApi, type Answer, type Operation } from './read-operations.ts';

const NOTE = '// Made from the OpenAPI document by `npm run docs`.\n';

/** Renders the types of bodies, queries and responses for the TypeScript SDK. */
export async function renderSdkTypes(): Promise<string> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Steward', version: '1' },
    paths: {},
    components: { schemas: readApi().schemas },
  };
  const text = await renderTypes(document, { withOrphans: true });
  // This omits the type of the options of a separate client, which is not used here.
  return `${NOTE}\n${text.slice(text.indexOf('export type', text.indexOf('ClientOptions') + 1))}`;
}

/** Renders one method for each operation. */
export function renderSdkOperations(): string {
  const { operations } = readApi();
  const types = new Set(operations.flatMap(listTypes));
  return `${NOTE}
import type { Caller, CallOptions, RawBody } from '../caller.ts';
import type { Pages } from '../pages.ts';
import type { ${[...types].sort().join(', ')} } from './types.gen.ts';

const encode = encodeURIComponent;

/** One method for each operation of the API. Paths, fields and answers are as the service documents them. */
export class Operations {
  /** Sends requests of operations that have no method here. */
  readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }
${operations.map(renderMethod).join('\n')}
}
`;
}

function listTypes({ query, body, answer }: Operation): string[] {
  return [
    ...(query === undefined ? [] : [query.type]),
    ...(body?.kind === 'json' ? [body.type] : []),
    ...(answer.kind === 'json' ? answer.types : []),
    ...(answer.kind === 'page' ? [answer.page, answer.item] : []),
  ];
}

const toCamel = (name: string): string => name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());

function renderMethod(operation: Operation): string {
  const { id, method, path, params, query, body, answer, repeat } = operation;
  const address = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => `\${encode(${toCamel(name)})}`);
  const written = params.length === 0 ? `'${path}'` : `\`${address}\``;
  const request = [
    ...(answer.kind === 'page' ? [] : [`method: '${method}'`]),
    `path: ${written}`,
    ...(query === undefined ? [] : ['query']),
    ...(body === undefined ? [] : [body.kind === 'raw' ? 'rawBody: body' : 'body']),
    ...(answer.kind === 'bytes' ? [`answer: 'response'`] : []),
    ...(repeat === undefined ? [] : [`repeat: '${repeat}'`]),
  ].join(', ');
  const call = answer.kind === 'page' ? 'list' : 'call';
  return `
  /**
${renderNotes(operation)}
   */
  ${id}(${listArguments(operation).join(', ')}): ${renderAnswer(answer)} {
    return this.caller.${call}({ ${request} }, options);
  }`;
}

function renderNotes({ summary, description }: Operation): string {
  const paragraphs = [summary, ...description.split('\n\n')].filter(
    (text) => text !== '' && !text.startsWith('Body: '),
  );
  return paragraphs.flatMap((text) => text.split('\n').map((line) => `   * ${line}`.trimEnd())).join('\n   *\n');
}

function listArguments({ params, query, body }: Operation): string[] {
  return [
    ...params.map((name) => `${toCamel(name)}: string`),
    ...renderBody(body),
    ...(query === undefined ? [] : [query.required ? `query: ${query.type}` : `query: ${query.type} = {}`]),
    'options?: CallOptions',
  ];
}

function renderBody(body: Operation['body']): string[] {
  if (body === undefined) return [];
  if (body.kind === 'raw') return ['body: RawBody'];
  const type = body.kind === 'json' ? body.type : 'Readonly<Record<string, unknown>>';
  return [body.required ? `body: ${type}` : `body: ${type} = {}`];
}

function renderAnswer(answer: Answer): string {
  switch (answer.kind) {
    case 'json':
      return `Promise<${answer.types.join(' | ')}>`;
    case 'page':
      return `Pages<${answer.page}, ${answer.item}>`;
    case 'bytes':
      return 'Promise<Response>';
    case 'any':
      return 'Promise<unknown>';
    case 'nothing':
      return 'Promise<void>';
  }
}
