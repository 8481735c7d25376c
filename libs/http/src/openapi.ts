import type { TObject, TSchema } from '@sinclair/typebox';
import { ErrorBodySchema, type RestrictedKind } from '@steward/contracts';
import { DEFAULT_BODY_LIMIT_BYTES, type Route } from './define-route.ts';
import { describeNamed, describePart, describeSchema, nameSchemas, type NamedSchemas } from './openapi-schemas.ts';
import { listPaths } from './route-paths.ts';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** Requests that the service itself sends, as OpenAPI operations, by name. */
export type OpenApiWebhooks = Readonly<
  Record<string, { readonly tags: readonly string[] } & Readonly<Record<string, unknown>>>
>;

export interface OpenApiExtras {
  readonly webhooks?: OpenApiWebhooks;
  /** Descriptions of the document's sections, by tag. */
  readonly tagDescriptions?: Readonly<Record<string, string>>;
}

/**
 * Builds an OpenAPI 3.1 document from the route table: this version uses the same dialect of JSON Schema as the
 * validation of the routes.
 * @throws if a route has no operation id or no tag, or if two routes or two schemas have the same name
 */
export function buildOpenApi(
  routes: readonly Route[],
  info: OpenApiInfo,
  { webhooks = {}, tagDescriptions = {} }: OpenApiExtras = {},
): object {
  const names = nameSchemas(routes, webhooks);
  const operationIds = new Set<string>();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    for (const [index, path] of listPaths(route).entries()) {
      const operationId = nameOperation(route, index);
      if (operationIds.has(operationId)) throw new Error(`two operations have the name ${operationId}`);
      operationIds.add(operationId);
      const operations = (paths[path] ??= {});
      operations[route.method] = describeOperation(route, { names, operationId, isAlias: index > 0 });
    }
  }
  const tags = new Set([...routes.map(requireTag), ...Object.values(webhooks).flatMap((sent) => sent.tags)]);
  return {
    openapi: '3.1.0',
    info: {
      ...info,
      contact: { name: 'The operator of this deployment' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...tags].sort().map((name) => ({ name, ...describeTag(tagDescriptions[name]) })),
    paths: Object.fromEntries(Object.entries(paths).sort(([left], [right]) => (left < right ? -1 : 1))),
    ...(Object.keys(webhooks).length === 0
      ? {}
      : {
          webhooks: Object.fromEntries(
            Object.entries(webhooks).map(([name, post]) => [name, { post: describePart(post, names) }]),
          ),
        }),
    components: {
      schemas: { ErrorBody: withoutId(ErrorBodySchema), ...describeNamed(names) },
      responses: { Error: ERROR_RESPONSE },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: BEARER } },
    },
  };
}

const ERROR_RESPONSE = {
  description: 'The request was refused or failed. `detail.code` states the reason.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
};

/** Response with an error page. It is described only in words, without a schema, since the page is read by people. */
const ERROR_PAGE = { description: 'A page that says what went wrong.', content: { 'text/html': {} } };

const OTHER_ERROR = 'The request was refused or failed. The error has the format that clients of this route expect.';

const describeTag = (description: string | undefined) => (description === undefined ? {} : { description });

const BEARER =
  'A user token or an API key. API keys that are bound to an agent, execution tokens, discovery keys and portal links can use only the ' +
  'operations whose `x-credential-kinds` include their kind (`agent_key`, `execution`, `discovery_key`, `portal_link`).';

const SECURITY = { bearer: [{ bearer: [] }], optional: [{ bearer: [] }, {}], none: [] };

interface Described {
  readonly names: NamedSchemas;
  readonly operationId: string;
  readonly isAlias: boolean;
}

function describeOperation(route: Route, { names, operationId, isAlias }: Described): object {
  const permissions = route.permissions ?? [];
  const limit = route.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES;
  const hasBody =
    route.body !== undefined ||
    route.bodyKind === 'json-later' ||
    route.bodyKind === 'raw' ||
    route.bodyKind === 'stream';
  const notes = [
    route.description,
    describeAccess(route.auth, permissions),
    route.auth === 'none' ? undefined : describeKinds(route.openTo),
    hasBody ? `Body: at most ${limit} bytes.` : undefined,
  ].filter((note) => note !== undefined);
  return {
    operationId,
    tags: [requireTag(route)],
    summary: route.summary,
    ...(notes.length > 0 ? { description: notes.join('\n\n') } : {}),
    ...(isAlias ? { 'x-alias-of': route.path } : {}),
    ...(permissions.length > 0 ? { 'x-permissions': permissions } : {}),
    ...(route.openTo === undefined ? {} : { 'x-credential-kinds': route.openTo }),
    security: SECURITY[route.auth],
    parameters: [
      ...describeParameters(route.params as TObject | undefined, 'path', names),
      ...describeParameters(route.query as TObject | undefined, 'query', names),
    ],
    ...(hasBody ? { requestBody: describeBody(route, names) } : {}),
    responses: describeResponses(route, names),
  };
}

function describeAccess(auth: Route['auth'], permissions: readonly string[]): string {
  if (auth === 'none') return 'No credential is required.';
  if (permissions.length > 0) return `Permission: ${permissions.map((name) => `\`${name}\``).join(', ')}.`;
  return auth === 'optional'
    ? 'The credential is optional.'
    : 'The operation can be used with every credential of a person.';
}

/** Returns a sentence that states which kinds of non-person credentials may use a route; undefined if none may. */
function describeKinds(kinds: readonly RestrictedKind[] = []): string | undefined {
  if (kinds.length === 0) return undefined;
  return `The operation can also be used ${kinds.map((kind) => `with ${KIND_NAMES[kind]}`).join(' and ')}.`;
}

const KIND_NAMES: Record<RestrictedKind, string> = {
  agent_key: 'API keys that are bound to an agent',
  execution: 'the token of an execution',
  discovery_key: 'keys that can only report discoveries',
  portal_link: 'portal links, which are limited to the endpoints of their group',
};

/**
 * Returns the operation id of a path; for an alias of a route, `Alias` is appended, and from the second alias on also a
 * number.
 */
function nameOperation({ operationId, method, path }: Route, aliasIndex: number): string {
  if (operationId === undefined) throw new Error(`${method} ${path} has no operation id`);
  return aliasIndex === 0 ? operationId : `${operationId}Alias${aliasIndex === 1 ? '' : aliasIndex}`;
}

function requireTag({ tag, method, path }: Route): string {
  if (tag === undefined) throw new Error(`${method} ${path} is in no list with a tag`);
  return tag;
}

function describeParameters(schema: TObject | undefined, place: 'path' | 'query', names: NamedSchemas): object[] {
  if (schema === undefined) return [];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (schema.required ?? []).includes(name),
    ...(property.description === undefined ? {} : { description: property.description }),
    schema: describePart(withoutDescription(property), names),
  }));
}

function describeBody(route: Route, names: NamedSchemas): object {
  if (route.bodyKind === 'raw') return { required: true, content: { '*/*': {} } };
  if (route.bodyKind === 'stream' || route.bodyMediaTypes !== undefined) {
    const types = route.bodyMediaTypes ?? ['*/*'];
    return { required: true, content: Object.fromEntries(types.map((type) => [type, {}])) };
  }
  const example: unknown = route.bodyExample;
  const type = route.bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  const schema = route.body === undefined ? { type: 'object' } : describeSchema(route.body as TSchema, names);
  return {
    required: route.bodyOptional !== true,
    content: { [type]: { schema, ...(example === undefined ? {} : { example }) } },
  };
}

function describeResponses(route: Route, names: NamedSchemas): object {
  const described: Record<string, object> = {};
  for (const [status, answer] of Object.entries(route.responses)) {
    const schema: TSchema | undefined = answer.schema;
    const media = schema === undefined ? {} : { schema: describeSchema(schema, names) };
    const types = [
      ...(schema === undefined && answer.mediaType === undefined ? [] : [answer.mediaType ?? 'application/json']),
      ...(answer.otherMediaTypes ?? []),
    ];
    const content = types.length === 0 ? undefined : Object.fromEntries(types.map((type) => [type, media]));
    described[status] = { description: answer.description, ...(content === undefined ? {} : { content }) };
  }
  for (const range of ['4XX', '5XX']) described[range] = describeError(route);
  return described;
}

function describeError({ responses, errorMediaTypes }: Route): object {
  if (errorMediaTypes !== undefined) {
    const content = Object.fromEntries(errorMediaTypes.map((type) => [type, {}]));
    return { description: OTHER_ERROR, content };
  }
  const isPage = Object.values(responses).some(({ mediaType }) => mediaType === 'text/html');
  return isPage ? ERROR_PAGE : { $ref: '#/components/responses/Error' };
}

function withoutDescription(schema: TSchema): TSchema {
  const { description: _description, ...rest } = schema;
  return rest as TSchema;
}

function withoutId(schema: TSchema): object {
  const { $id: _id, ...rest } = schema;
  return rest;
}
