import { renderOpenApi } from '../render-openapi.ts';

/** JSON Schema of the document, limited to the parts from which clients are generated. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly const?: string | number | boolean;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly 'x-alias-of'?: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export type Body =
  | { readonly kind: 'json'; readonly type: string; readonly required: boolean }
  | { readonly kind: 'payload'; readonly required: boolean }
  | { readonly kind: 'raw' };

export type Answer =
  | { readonly kind: 'json'; readonly types: readonly string[] }
  | { readonly kind: 'page'; readonly page: string; readonly item: string }
  | { readonly kind: 'nothing' | 'bytes' | 'any' };

/**
 * Condition under which a request may be repeated: for a POST or PATCH, `key` means only with an idempotency key, `id`
 * only with an `external_id`.
 */
export type Repeat = 'always' | 'key' | 'id' | undefined;

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly params: readonly string[];
  /** Name of the schema of its query. */
  readonly query: { readonly type: string; readonly required: boolean } | undefined;
  readonly body: Body | undefined;
  readonly answer: Answer;
  readonly repeat: Repeat;
}

/** Operations used only by browsers, links in e-mails, exporters and installers. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'openBrowserSession',
  'refreshBrowserSession',
  'closeBrowserSession',
  'logInByForm',
  'showApprovalPage',
  'decideByLink',
  'takeTraces',
  'downloadCli',
  'readCliChecksum',
  'downloadTypescriptSdk',
  'readTypescriptSdkChecksum',
  'downloadPythonSdk',
  'readPythonSdkChecksum',
]);

/** Ids of POSTs that change nothing, or are idempotent. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'openSession',
  'endSession',
  'searchSessions',
  'runSavedSearch',
  'listCredentialSightings',
  'validatePolicy',
  'comparePolicy',
  'testPolicy',
  'previewSchedule',
  'checkPermission',
  'reportDiscovery',
]);

/** Ids of triggers, for which the service runs only one execution per key (FLOW-26). */
const KEYED: ReadonlySet<string> = new Set(['triggerFlow', 'runFlowSchedule', 'receiveFlowWebhook']);

/** Ids of operations that store entries only once per `external_id`. */
const IDENTIFIED: ReadonlySet<string> = new Set(['storeInteraction', 'storeToolCall']);

export interface Api {
  readonly operations: readonly Operation[];
  /** Named schemas, including one for each query. */
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** Reads the input for generating clients. */
export function readApi(document = JSON.parse(renderOpenApi()) as Document): Api {
  const schemas: Record<string, Schema> = { ...document.components.schemas };
  const operations: Operation[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, described] of Object.entries(methods)) {
      if (described['x-alias-of'] !== undefined || LEFT_OUT.has(described.operationId)) continue;
      operations.push({
        id: described.operationId,
        method: method.toUpperCase(),
        path,
        summary: described.summary,
        description: described.description ?? '',
        params: described.parameters.filter((each) => each.in === 'path').map(({ name }) => name),
        query: readQuery(described, schemas),
        body: readBody(described),
        answer: readAnswer(described, document),
        repeat: readRepeat(described.operationId),
      });
    }
  }
  return { operations, schemas: keepUsed(schemas, operations) };
}

function readRepeat(id: string): Repeat {
  if (KEYED.has(id)) return 'key';
  if (IDENTIFIED.has(id)) return 'id';
  return REPEATABLE.has(id) ? 'always' : undefined;
}

export const toPascal = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}`;

function readQuery({ operationId, parameters }: DescribedOperation, schemas: Record<string, Schema>) {
  const given = parameters.filter((each) => each.in === 'query');
  if (given.length === 0) return undefined;
  const type = `${toPascal(operationId)}Query`;
  const required = given.filter((each) => each.required).map(({ name }) => name);
  schemas[type] = {
    type: 'object',
    required,
    properties: Object.fromEntries(
      given.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description === undefined ? {} : { description }) },
      ]),
    ),
  };
  return { type, required: required.length > 0 };
}

export const nameOf = ({ $ref = '' }: Schema): string | undefined => /\/(\w+)$/.exec($ref)?.[1];

function readBody({ operationId, requestBody }: DescribedOperation): Body | undefined {
  if (requestBody === undefined) return undefined;
  const schema = requestBody.content?.['application/json']?.schema;
  if (schema === undefined) return { kind: 'raw' };
  const type = nameOf(schema);
  // The caller defines the payloads of triggers.
  if (type === undefined || operationId === 'triggerFlow') return { kind: 'payload', required: requestBody.required };
  return { kind: 'json', type, required: requestBody.required };
}

function readAnswer({ responses }: DescribedOperation, { components }: Document): Answer {
  const successes = Object.entries(responses).filter(([status]) => /^2\d\d$/.test(status));
  const contents = successes.flatMap(([, { content }]) => Object.entries(content ?? {}));
  if (contents.length === 0) return { kind: 'nothing' };
  if (contents.some(([type]) => type !== 'application/json')) return { kind: 'bytes' };
  const types = [...new Set(contents.map(([, { schema }]) => nameOf(schema ?? {}) ?? ''))];
  const [first = ''] = types;
  if (first === '') return { kind: 'any' };
  const item = nameOf(components.schemas[first]?.properties?.['items']?.items ?? {});
  return first.endsWith('Page') && item !== undefined ? { kind: 'page', page: first, item } : { kind: 'json', types };
}

/**
 * Omits schemas that are used only by omitted operations. Schemas of events are included, because receivers use them.
 */
function keepUsed(schemas: Readonly<Record<string, Schema>>, operations: readonly Operation[]) {
  const used = new Set<string>(['ErrorBody']);
  const walk = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const name = nameOf(value as Schema);
    if (name !== undefined) keep(name);
    for (const part of Object.values(value)) walk(part);
  };
  const keep = (name: string): void => {
    if (used.has(name)) return;
    used.add(name);
    walk(schemas[name]);
  };
  for (const { query, body, answer } of operations) {
    if (query !== undefined) keep(query.type);
    if (body?.kind === 'json') keep(body.type);
    if (answer.kind === 'json') answer.types.forEach(keep);
    if (answer.kind === 'page') keep(answer.page);
  }
  const names = Object.keys(schemas).filter((name) => used.has(name));
  return Object.fromEntries(names.sort().map((name) => [name, schemas[name] ?? {}]));
}
