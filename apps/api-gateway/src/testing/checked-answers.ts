import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
}

interface Answered {
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/**
 * Creates the check that compares responses with the OpenAPI document: their status, media type and body, in which no
 * field may be missing, wrong or unknown.
 */
export function createAnswerCheck(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  const compiled = new Map<object, ValidateFunction>();
  ajv.addSchema({ $id: 'api', components: closeObjects(document.components) });
  const compile = (schema: object): ValidateFunction => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(closeObjects(schema)).replaceAll('"#/components/', '"api#/components/');
    const validate = ajv.compile(JSON.parse(text) as object);
    compiled.set(schema, validate);
    return validate;
  };
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      variables: path.split('{').length,
      operation,
    })),
  );
  // A path without variables is matched first.
  routes.sort((left, right) => left.variables - right.variables);
  const reached = new Map<string, Set<number>>();

  /** Returns the media types of a status; undefined if the document does not contain the status. */
  const findContent = ({ responses }: Operation, status: number): Content | undefined => {
    const response = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`];
    const name = /\/(\w+)$/.exec(response?.$ref ?? '')?.[1];
    return name === undefined ? response : document.components.responses[name];
  };
  const judge = (
    operation: Operation,
    { status, type, text }: Pick<Answered, 'status' | 'type' | 'text'>,
  ): string[] => {
    const found = findContent(operation, status);
    if (found === undefined) return ['this status is not in the document'];
    if (found.content === undefined) return text === '' ? [] : ['it has a body'];
    const media = type.split(';')[0] ?? '';
    const described = found.content[media];
    if (described === undefined) return [`${media} is not in the document`];
    return media === 'application/json' && described.schema !== undefined ? compare(described.schema, text) : [];
  };
  const compare = (schema: object, text: string): string[] => {
    const validate = compile(schema);
    if (validate(JSON.parse(text))) return [];
    const faults = validate.errors ?? [];
    return faults.map(
      ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };

  const find = (method: string, path: string): Operation | undefined => {
    const plain = path.split('?')[0] ?? '';
    return routes.find((route) => route.method === method && route.pattern.test(plain))?.operation;
  };

  return {
    /** Returns the id of the operation to which a request belongs. */
    findOperation: (method: string, path: string): string | undefined => find(method, path)?.operationId,
    /** The operations that were called, with their response statuses. */
    reached,
    operations: routes.map(({ operation }) => operation.operationId),
    /** Returns the parts of the response that the document does not describe. */
    check({ method, path, status, type, text }: Answered): string[] {
      const operation = find(method, path);
      if (operation === undefined) return [`${method} ${path} is not in the document`];
      const statuses = reached.get(operation.operationId) ?? new Set();
      reached.set(operation.operationId, statuses.add(status));
      return judge(operation, { status, type, text }).map((fault) => `${operation.operationId} ${status}: ${fault}`);
    },
  };
}

/** Forbids unknown fields in every object of a schema: a field that is missing in the document is also an error. */
function closeObjects(value: unknown): object {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (value === null || typeof value !== 'object') return value as unknown as object;
  const parts: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, closeObjects(part)]),
  );
  const isOpen = parts['type'] === 'object' && 'properties' in parts && !('additionalProperties' in parts);
  return isOpen ? { ...parts, additionalProperties: false } : parts;
}
