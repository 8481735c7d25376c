import { inlineReferences } from './inline-references.ts';

describe('a schema without references', () => {
  const schemas = {
    Place: { type: 'object', properties: { street: { type: 'string' } } },
    Owner: { type: 'object', properties: { at: { $ref: '#/components/schemas/Place', description: 'Home.' } } },
  };

  it('has the named schemas in their places, at every depth, with what the place says of them', () => {
    expect(inlineReferences({ anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }] }, schemas)).toEqual({
      anyOf: [{ type: 'object', properties: { at: { ...schemas.Place, description: 'Home.' } } }, { type: 'null' }],
    });
  });
});
