import { inlineReferences } from './inline-references.ts';

describe('a schema without references', () => {
  const schemas = {
    Place: { type: 'object', properties: { street: { type: 'string' } } },
    Owner: { type: 'object', properties: { at: { $ref: '#/components/schemas/Place', description: 'Home.' } } },
  };

  it('contains the named schemas inline, at any depth, with the descriptions of the references', () => {
    expect(inlineReferences({ anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }] }, schemas)).toEqual({
      anyOf: [{ type: 'object', properties: { at: { ...schemas.Place, description: 'Home.' } } }, { type: 'null' }],
    });
  });
});
