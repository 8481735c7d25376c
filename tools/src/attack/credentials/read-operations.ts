import { inlineReferences } from '@steward/testing';
import { createApi } from '../../demo/api.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Route in the OpenAPI document that the service returns. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** Path with its parameters in braces. */
  readonly path: string;
  readonly permissions: readonly string[];
  /** True if the route can be called without a credential. */
  readonly isPublic: boolean;
  /** Restricted kinds of credentials that may use the route. */
  readonly openTo: readonly string[];
  readonly body: { readonly mediaType: string; readonly schema: Schema } | undefined;
}

export interface ApiDocument {
  readonly operations: readonly Operation[];
  /** Document to which references in schemas point. */
  readonly document: object;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly 'x-permissions'?: readonly string[];
  readonly 'x-credential-kinds'?: readonly string[];
}

/** Reads every route of the service from the service's own document, so that a new one is attacked automatically. */
export async function readOperations(url: string): Promise<ApiDocument> {
  const { body: document } = await createApi(url).call('GET', '/docs/api/openapi.json');
  const paths = document.paths as unknown as Record<string, Record<string, DocumentedOperation>>;
  const { schemas } = document.components as unknown as { readonly schemas: Record<string, unknown> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const read = readOperation(method, path, operation);
      const { body } = read;
      return body === undefined
        ? read
        : { ...read, body: { ...body, schema: inlineReferences(body.schema, schemas) as Schema } };
    }),
  );
  return { operations, document };
}

function readOperation(method: string, path: string, operation: DocumentedOperation): Operation {
  const security = operation.security ?? [];
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    permissions: operation['x-permissions'] ?? [],
    isPublic: security.length === 0 || security.some((scheme) => Object.keys(scheme).length === 0),
    openTo: operation['x-credential-kinds'] ?? [],
    body: content && { mediaType: content[0], schema: content[1].schema ?? {} },
  };
}
