import { Type, type TSchema } from '@sinclair/typebox';
import { defineRoute, type Route } from './define-route.ts';
import { buildOpenApi } from './openapi.ts';
import { describeNamed, describeSchema, nameSchemas } from './openapi-schemas.ts';
import { pageOf } from './paging.ts';
import { ABOUT } from './testing/http-app-tests.ts';

const Owner = Type.Object({ name: Type.String() });
const Thing = Type.Object({ owner: Owner, former: Type.Array(Owner) });
const Missing = Type.Object({ why: Type.String() });

const Place = Type.Object({ street: Type.String() }, { title: 'Place' });
const NewOwner = Type.Object({
  name: Type.String(),
  lives_at: Place,
  sent_to: { ...Place, description: 'Address for letters.' },
});

const handler = () => ({ status: 204 });
const readThing = defineRoute({
  ...ABOUT,
  method: 'get',
  path: '/things/{thing_id}',
  auth: 'none',
  responses: {
    200: { description: '', name: 'Thing', schema: Thing },
    410: { description: '', name: 'Missing', schema: Missing },
  },
  handler: handler as never,
});
const listOwners = defineRoute({
  ...ABOUT,
  method: 'get',
  path: '/owners',
  auth: 'none',
  responses: { 200: { description: '', name: 'Owner', schema: pageOf(Owner) } },
  handler: handler as never,
});

const createOwner = defineRoute({
  ...ABOUT,
  operationId: 'createOwner',
  method: 'post',
  path: '/owners',
  auth: 'none',
  body: NewOwner,
  bodyExample: { name: 'Ada', lives_at: { street: 'Dorset Street' }, sent_to: { street: 'St James’s Square' } },
  responses: { 204: { description: '' } },
  handler: handler as never,
});

describe('the names of schemas', () => {
  it('are those declared by routes; a page is named after its items', () => {
    const names = nameSchemas([readThing, listOwners]);
    expect([...names]).toEqual([
      [Thing, 'Thing'],
      [Missing, 'Missing'],
      [Owner, 'Owner'],
      [expect.objectContaining({ required: ['items', 'next_cursor'] }), 'OwnerPage'],
    ]);
  });

  it('are derived from the operation for a body, and from titles for its parts', () => {
    const names = nameSchemas([createOwner]);
    expect(new Set(names.values())).toEqual(new Set(['CreateOwnerRequest', 'Place']));
    const ref = { $ref: '#/components/schemas/Place' };
    expect(describeNamed(names)).toMatchObject({
      CreateOwnerRequest: { properties: { lives_at: ref, sent_to: { ...ref, description: 'Address for letters.' } } },
      Place: { properties: { street: { type: 'string' } } },
    });
    expect(describeNamed(names)['Place']).not.toHaveProperty('title');
  });

  it('are refused if two different parts have the same title', () => {
    const other = Type.Object({ town: Type.String() }, { title: 'Place' });
    const body = Type.Object({ at: Place, from: other });
    expect(() => nameSchemas([{ ...createOwner, body }])).toThrow('two schemas have the name Place');
  });

  it('are used wherever the schema occurs', () => {
    const names = nameSchemas([readThing, listOwners]);
    const ref = { $ref: '#/components/schemas/Owner' };
    expect(describeSchema(pageOf(Owner), names)).toMatchObject({
      properties: { items: { type: 'array', items: ref } },
    });
    expect(describeSchema(Owner, names)).toEqual(ref);
    expect(describeNamed(names)).toMatchObject({
      Owner: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      Thing: { properties: { owner: ref, former: { type: 'array', items: ref } } },
    });
  });

  it('are unique', () => {
    const respond = (name: string, schema: TSchema) => ({
      ...readThing,
      responses: { 200: { description: '', name, schema } },
    });
    expect(nameSchemas([readThing, respond('Thing', Thing)]).get(Thing)).toBe('Thing');
    expect(() => nameSchemas([readThing, respond('Thing', Owner)])).toThrow('two schemas have the name Thing');
    expect(() => nameSchemas([readThing, respond('Object', Thing)])).toThrow(
      'the schema Thing also has the name Object',
    );
  });
});

describe('the operation ids in the API document', () => {
  const build = (routes: readonly Route[]) => buildOpenApi(routes, { title: 'T', version: '1', description: '' });

  it('are unique', () => {
    expect(() => build([readThing, { ...listOwners, operationId: 'listOwners' }])).not.toThrow();
    expect(() => build([readThing, listOwners])).toThrow('two operations have the name doThing');
    const { operationId: _id, ...nameless } = readThing;
    expect(() => build([nameless])).toThrow('get /things/{thing_id} has no operation id');
  });
});

it('shows the example of a body that its route declares', () => {
  const { paths } = buildOpenApi([createOwner], { title: 'T', version: '1', description: '' }) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody: unknown }>>>>;
  };
  expect(paths['/owners']?.['post']?.requestBody).toMatchObject({
    content: { 'application/json': { example: { name: 'Ada', lives_at: { street: 'Dorset Street' } } } },
  });
});
