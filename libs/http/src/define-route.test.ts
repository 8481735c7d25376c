import { Type } from '@sinclair/typebox';
import { defineRoute } from './define-route.ts';

const Thing = Type.Object({
  name: Type.String(),
  state: Type.Union([Type.Literal('on'), Type.Literal('off')]),
  at: Type.Optional(Type.String({ format: 'date-time' })),
  any: Type.Unknown(),
});
const route = {
  operationId: 'readThing',
  method: 'get',
  path: '/things',
  auth: 'none',
  tag: 'things',
  summary: 'A thing.',
  responses: { 200: { description: 'It.', name: 'Thing', schema: Thing }, 204: { description: 'Nothing.' } },
} as const;

/** The compiler checks these tests: if it accepts a line that it should reject, this is reported as an error. */
describe('a declared response', () => {
  it('conforms to the schema of its status', () => {
    defineRoute({
      ...route,
      handler: () => ({ status: 200, body: { name: 'x', state: 'on', at: new Date(), any: 1 } }),
    });
    defineRoute({ ...route, handler: async () => ({ status: 204 }) });
    const read = (): { readonly name: string; readonly state: 'on' | 'off'; readonly any: readonly string[] } => ({
      name: 'x',
      state: 'off',
      any: [],
    });
    expect(defineRoute({ ...route, handler: () => ({ status: 200, body: read() }) }).path).toBe('/things');
  });

  it('does not compile if it does not conform to the schema', () => {
    // @ts-expect-error a status that is not declared
    defineRoute({ ...route, handler: () => ({ status: 201, body: { name: 'x', state: 'on', any: 1 } }) });
    // @ts-expect-error a property is missing
    defineRoute({ ...route, handler: () => ({ status: 200, body: { name: 'x', any: 1 } }) });
    // @ts-expect-error a value is none of the union
    defineRoute({ ...route, handler: () => ({ status: 200, body: { name: 'x', state: 'of', any: 1 } }) });
    // @ts-expect-error no body at all
    defineRoute({ ...route, handler: () => ({ status: 200 }) });
    expect(route.responses[200].schema).toBe(Thing);
  });
});

describe('a route declaration', () => {
  const about = { operationId: 'createThing', path: '/things', tag: 'things', summary: 'A thing.', responses: {} };
  const handler = () => ({ status: 204 });

  it('requires the permissions of a route that changes data, and its audit record or the reason for omitting it', () => {
    const write = { ...about, method: 'post', handler } as const;
    // @ts-expect-error it says nothing of audit
    defineRoute({ ...write, permissions: [] });
    // @ts-expect-error it says nothing of permissions
    defineRoute({ ...write, unaudited: 'It changes nothing.' });
    defineRoute({ ...write, auth: 'none', unaudited: 'It changes nothing.' });
    expect(defineRoute({ ...write, permissions: [], unaudited: 'It changes nothing.' }).audit).toBeUndefined();
  });

  it('requires an operation id and a name for each schema', () => {
    // @ts-expect-error it has no operation id
    defineRoute({ ...route, operationId: undefined, handler });
    // @ts-expect-error its schema has no name
    defineRoute({ ...route, responses: { 200: { description: 'It.', schema: Thing } }, handler });
    expect(route.operationId).toBe('readThing');
  });

  it('has an example for a body with a required field; the example conforms to the schema (API-21)', () => {
    const write = { ...about, method: 'post', permissions: [], unaudited: 'It is a test.', handler } as const;
    const body = Type.Object({ name: Type.String(), note: Type.Optional(Type.String()) });
    // @ts-expect-error it has no example
    defineRoute({ ...write, body });
    // @ts-expect-error the required field is missing
    defineRoute({ ...write, body, bodyExample: { note: 'x' } });
    // @ts-expect-error the body has no such field
    defineRoute({ ...write, body, bodyExample: { name: 'x', other: 'x' } });
    // @ts-expect-error the field has another type
    defineRoute({ ...write, body: Type.Partial(body), bodyExample: { note: 1 } });
    defineRoute({ ...write, body: Type.Partial(body) });
    expect(defineRoute({ ...write, body, bodyExample: { name: 'x' } }).bodyExample).toEqual({ name: 'x' });
  });

  it('takes the action of the audit record from an operation that creates, updates or deletes', () => {
    const audit = { resourceType: 'flow' } as const;
    const write = { ...about, method: 'post', permissions: [], audit, handler } as const;
    expect(defineRoute(write).audit).toEqual({ action: 'create', resourceType: 'flow' });
    expect(defineRoute({ ...write, audit: { ...audit, action: 'import' } }).audit?.action).toBe('import');
    expect(() => defineRoute({ ...write, operationId: 'rotateSecret' })).toThrow('rotateSecret has to name the action');
  });
});
