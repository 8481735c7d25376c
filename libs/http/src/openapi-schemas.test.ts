import { Type } from '@sinclair/typebox';
import { defineRoute } from './define-route.ts';
import { describeNamed, describeSchema, nameSchemas } from './openapi-schemas.ts';
import { pageOf } from './paging.ts';
import { ABOUT } from './testing/http-app-tests.ts';

const Owner = Type.Object({ name: Type.String() });
const Thing = Type.Object({ owner: Owner, former: Type.Array(Owner) });
const Missing = Type.Object({ why: Type.String() });

const handler = () => ({ status: 204 });
const readThing = defineRoute({
  ...ABOUT,
  method: 'get',
  path: '/things/{thing_id}',
  auth: 'none',
  responses: { 200: { description: '', schema: Thing }, 410: { description: '', schema: Missing } },
  handler: handler as never,
});
const listOwners = defineRoute({
  ...ABOUT,
  method: 'get',
  path: '/owners',
  auth: 'none',
  responses: { 200: { description: '', schema: pageOf(Owner) } },
  handler: handler as never,
});

describe('the names of schemas', () => {
  it('are those that were chosen, else made of the first route that answers them; of a page its items have one', () => {
    const names = nameSchemas([readThing, listOwners], { 'GET /owners': 'Owner', 'GET /elsewhere': 'Nothing' });
    expect([...names]).toEqual([
      [Owner, 'Owner'],
      [Thing, 'GetThingsThingIdAnswer'],
      [Missing, 'GetThingsThingIdAnswer410'],
    ]);
  });

  it('stand for what has them, wherever that is', () => {
    const names = nameSchemas([readThing, listOwners], { 'GET /owners': 'Owner', 'GET /things/{thing_id}': 'Thing' });
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

  it('are given once', () => {
    const names = { 'GET /owners': 'Thing', 'GET /things/{thing_id}': 'Thing' };
    expect(() => nameSchemas([readThing, listOwners], names)).toThrow('two schemas are called Thing');
  });
});
