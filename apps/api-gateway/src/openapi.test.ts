import { AppError } from '@steward/contracts';
import { compileBodyValidation, compileTextValidation } from '@steward/http';
import { describeApi } from './describe-api.ts';
import { listDeclaredRoutes } from './list-declared-routes.ts';
import { TAG_DESCRIPTIONS } from './tag-descriptions.ts';

interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = describeApi(listDeclaredRoutes()) as Document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const answers = operations.flatMap(({ operationId, responses }) =>
  Object.values(responses).flatMap(({ content = {} }) =>
    Object.values(content).flatMap(({ schema }) => (schema === undefined ? [] : [{ operationId, schema }])),
  ),
);

describe('the OpenAPI document (API-14)', () => {
  it('has a well-formed id for every operation', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.length).toBeGreaterThan(130);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
  });

  it('references by name the responses of all operations and the items of all lists', () => {
    const { schemas } = document.components;
    const find = ({ $ref = '' }: Schema): Schema | undefined =>
      schemas[/^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1] ?? ''];
    const unnamed = answers.filter(({ schema }) => {
      const { items, next_cursor: cursor } = find(schema)?.properties ?? {};
      return find(schema) === undefined || (cursor !== undefined && items?.items && find(items.items) === undefined);
    });
    expect(unnamed.map(({ operationId }) => operationId)).toEqual([]);
    for (const [, name = ''] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(schemas).toHaveProperty(name);
  });

  it('references by name all described bodies, and schemas that several of them share (API-21)', () => {
    const bodies = operations.flatMap(({ operationId, requestBody }) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        // Senders of webhooks post arbitrary bodies.
        schema === undefined || operationId.startsWith('receiveFlowWebhook') ? [] : [{ operationId, schema }],
      ),
    );
    expect(bodies.length).toBeGreaterThan(75);
    expect(bodies.filter(({ schema }) => schema.$ref === undefined).map(({ operationId }) => operationId)).toEqual([]);
    expect(document.components.schemas['CreateFlowRequest']?.properties?.['network_secrets']).toMatchObject({
      anyOf: [{ type: 'array', items: { $ref: '#/components/schemas/NetworkSecret' } }, { type: 'null' }],
    });
  });

  it('has an explicitly chosen name for every response', () => {
    const derived = new Set(
      operations.map(({ operationId }) => `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Answer`),
    );
    expect(Object.keys(document.components.schemas).filter((name) => derived.has(name))).toEqual([]);
  });

  it('resolves a schema name to its schema', () => {
    const { schemas } = document.components;
    expect(Object.keys(schemas['Flow']?.properties ?? {})).toEqual(
      expect.arrayContaining(['id', 'name', 'is_enabled']),
    );
    expect(schemas['BrowserSession']?.properties?.['user']).toEqual({ $ref: '#/components/schemas/User' });
  });
});

describe('the examples of the OpenAPI document', () => {
  it('are bodies that the routes accept, for every body with a required field (API-21)', () => {
    const refused = listDeclaredRoutes().flatMap(({ operationId: id = '', body, bodyExample }) => {
      const { required = [] } = (body ?? {}) as { required?: readonly string[] };
      if (body === undefined || (bodyExample === undefined && required.length === 0)) return [];
      try {
        compileBodyValidation(body)(bodyExample);
        return [];
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return [{ id, message: error.message }];
      }
    });
    expect(refused).toEqual([]);
  });
});

it('the OpenAPI document describes each of its sections', () => {
  expect(Object.keys(TAG_DESCRIPTIONS).sort()).toEqual(document.tags.map(({ name }) => name).sort());
  expect(document.tags.filter(({ description }) => description === undefined)).toEqual([]);
});

describe('the schemas of every route (API-5)', () => {
  // The gateway does not compile them at startup: a schema that cannot be compiled would cause a 500 on first use.
  it('can be compiled', () => {
    const schemas = listDeclaredRoutes().flatMap(({ method, path, params, query, body }) =>
      Object.entries({ params, query, body }).map(([part, schema]) => ({ name: `${method} ${path} ${part}`, schema })),
    );
    const broken = schemas.filter(({ schema }) => {
      if (schema === undefined) return false;
      try {
        compileBodyValidation(schema)(undefined);
        return false;
      } catch (error) {
        return !(error instanceof AppError);
      }
    });
    expect(schemas.length).toBeGreaterThan(400);
    expect(broken.map(({ name }) => name)).toEqual([]);
  });
});

describe('query parameters that accept several values', () => {
  const lists = listDeclaredRoutes().flatMap(({ method, path, query }) =>
    Object.entries((query?.properties ?? {}) as Record<string, { readonly type?: string }>).flatMap(
      ([name, { type }]) =>
        type === 'array' && query !== undefined ? [{ name: `${method} ${path} ${name}`, parameter: name, query }] : [],
    ),
  );
  const values = ['team:shop', '1', '2030-01-01T00:00:00Z', '01a2c3d4-0000-7000-8000-000000000000', 'true'];

  it('work with a single value, on every route of the document (API-20)', () => {
    const refused = lists.filter(({ parameter, query }) => {
      const validate = compileTextValidation({ ...query, required: [] });
      return !values.some((value) => {
        try {
          return Array.isArray((validate({ [parameter]: value }) as Record<string, unknown>)[parameter]);
        } catch (error) {
          if (error instanceof AppError) return false;
          throw error;
        }
      });
    });
    expect(lists.map(({ name }) => name)).toContain('post /api/v1/runtime-sessions/import label');
    expect(refused.map(({ name }) => name)).toEqual([]);
  });
});
