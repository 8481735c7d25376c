import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { EVENT_TYPES } from '@steward/contracts';
import { renderAsyncApi } from './render-asyncapi.ts';

interface Document {
  readonly channels: { readonly receiver: { readonly messages: Readonly<Record<string, { readonly $ref: string }>> } };
  readonly operations: { readonly deliver: { readonly messages: readonly { readonly $ref: string }[] } };
  readonly components: { readonly messages: Readonly<Record<string, object>> };
}

describe('the AsyncAPI document', () => {
  const document = JSON.parse(renderAsyncApi()) as Document;

  it('is valid according to the official schema', () => {
    // The schema references the meta-schema.
    const options = { strict: false, allErrors: true, meta: false, validateSchema: false } as const;
    const ajv = ajvFormats.default(new Ajv(options));
    const validate = ajv.compile(specs.schemas['3.1.0'] as object);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ ...document, operations: { deliver: { action: 'shout' } } })).toBe(false);
  });

  it('has every event, and its references resolve (EVT-9)', () => {
    const types = Object.keys(EVENT_TYPES);
    const { channels, operations, components } = document;
    expect(Object.keys(components.messages)).toEqual(types);
    const { messages } = channels.receiver;
    expect(Object.entries(messages)).toEqual(types.map((type) => [type, { $ref: `#/components/messages/${type}` }]));
    expect(operations.deliver.messages).toEqual(
      types.map((type) => ({ $ref: `#/channels/receiver/messages/${type}` })),
    );
  });
});
