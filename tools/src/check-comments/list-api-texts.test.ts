import { listApiTexts } from './list-api-texts.ts';

describe('the texts of an OpenAPI document', () => {
  it('include summaries and descriptions wherever they stand, and exclude properties of that name and examples', () => {
    const schema = {
      description: 'A flow.',
      properties: {
        description: { type: 'string', description: 'Text of the owner.' },
        enum: { description: 'Kind.' },
      },
      example: { description: 'of a caller' },
    };
    expect(
      listApiTexts({
        paths: { '/flows': { get: { summary: 'List flows.', responses: { 200: { schema } } } } },
        webhooks: { ended: { post: { summary: 'A flow ends.' } } },
      }),
    ).toEqual([
      { place: 'paths//flows/get', text: 'List flows.', isSummary: true },
      { place: 'paths//flows/get/responses/200/schema', text: 'A flow.', isSummary: false },
      {
        place: 'paths//flows/get/responses/200/schema/properties/description',
        text: 'Text of the owner.',
        isSummary: false,
      },
      { place: 'paths//flows/get/responses/200/schema/properties/enum', text: 'Kind.', isSummary: false },
      { place: 'webhooks/ended/post', text: 'A flow ends.', isSummary: false },
    ]);
  });
});
