import fc from 'fast-check';
import { MAX_VECTOR_WIDTH, readEmbeddings } from './read-embeddings.ts';

const encode = (vector: readonly number[]) => Buffer.from(Float32Array.from(vector).buffer).toString('base64');
const body = (value: unknown) => Buffer.from(JSON.stringify(value));
const read = (embeddings: readonly unknown[], count = embeddings.length) =>
  readEmbeddings(body({ data: embeddings.map((embedding, index) => ({ embedding, index })) }), count);

describe('a provider response (EMB-34)', () => {
  it('yields one vector per text in the order of the texts, as numbers or base64, in any received order', () => {
    const number = fc.float({ noNaN: true, noDefaultInfinity: true, min: -1, max: 1 }).map((value) => value + 0);
    const vectors = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 6 })).chain(([width, count]) => {
      const vector = fc
        .array(number, { minLength: width, maxLength: width })
        .filter((values) => values.some((value) => value !== 0));
      return fc.array(vector, { minLength: count, maxLength: count });
    });
    fc.assert(
      fc.property(vectors, fc.infiniteStream(fc.boolean()), fc.infiniteStream(fc.nat()), (wanted, asText, keys) => {
        const items = wanted.map((vector, index) => ({
          index,
          embedding: asText.next().value === true ? encode(vector) : vector,
          key: keys.next().value,
        }));
        const answer = readEmbeddings(body({ data: items.sort((a, b) => a.key - b.key) }), wanted.length);
        expect(answer).toEqual({
          kind: 'read',
          vectors: wanted.map((vector) => Float32Array.from(vector)),
          promptTokens: undefined,
        });
      }),
    );
  });

  it('is read in the order of the list if no entry has an index', () => {
    const answer = readEmbeddings(body({ data: [{ embedding: [1, 0] }, { embedding: [0, 1] }] }), 2);
    expect(answer).toMatchObject({ kind: 'read', vectors: [Float32Array.of(1, 0), Float32Array.of(0, 1)] });
  });

  it.each([
    [{ prompt_tokens: 7, total_tokens: 9 }, 7],
    [{ total_tokens: 9 }, 9],
    [{ prompt_tokens: 0 }, undefined],
    [{ prompt_tokens: 0, total_tokens: 9 }, 9],
    [{ prompt_tokens: -1 }, undefined],
    [{ prompt_tokens: 1.5 }, undefined],
    [{ prompt_tokens: '7' }, undefined],
    [null, undefined],
    [undefined, undefined],
  ])('with the usage %j is read as %p tokens', (usage, promptTokens) => {
    expect(readEmbeddings(body({ data: [{ embedding: [1] }], usage }), 1)).toMatchObject({ promptTokens });
  });

  it.each<[string, readonly unknown[], string]>([
    ['a width that changes', [[1, 2], [1]], 'embeddings have 2 and 1 dimensions'],
    ['nothing', [[]], 'an embedding is empty'],
    ['only zeros', [[1], [0]], 'all values of an embedding are zero'],
    ['zeros in 32 bits', [[1e-300]], 'all values of an embedding are zero'],
    ['more than 32 bits hold', [[1e300]], 'an embedding contains a value that is not a number'],
    ['NaN in base64', [encode([Number.NaN])], 'an embedding contains a value that is not a number'],
    ['null for NaN', [[null, 1]], 'an embedding is not a list of numbers'],
    ['numbers as text', [['1']], 'an embedding is not a list of numbers'],
    ['something else', [{ 0: 1 }], 'an embedding is not a list of numbers'],
    ['text that is not base64', ['!!!!'], 'an embedding is not a list of numbers'],
    ['base64 of five bytes', [Buffer.alloc(5, 1).toString('base64')], 'an embedding is not a list of numbers'],
    ['an empty text', [''], 'an embedding is not a list of numbers'],
    [
      'more than can be indexed',
      [Array(MAX_VECTOR_WIDTH + 1).fill(1)],
      'an embedding has 4001 dimensions, more than 4000',
    ],
  ])('refuses vectors of %s', (_name, embeddings, detail) => {
    expect(read(embeddings)).toEqual({ kind: 'unusable', detail });
  });

  it('may contain vectors with the maximum number of dimensions that can be indexed', () => {
    expect(read([Array(MAX_VECTOR_WIDTH).fill(1)]).kind).toBe('read');
  });

  it.each([
    ['fewer than asked for', [0], 2],
    ['more than asked for', [0, 1], 1],
    ['one number twice', [0, 0], 2],
    ['a number beyond the count', [0, 2], 2],
    ['a number below zero', [0, -1], 2],
    ['a fraction', [0, 0.5], 2],
    ['a number in words', [0, '1'], 2],
    ['one without a number after others moved', [1, undefined], 2],
  ])('refuses %s', (_name, indexes, count) => {
    const data = indexes.map((index) => ({ index, embedding: [1] }));
    expect(readEmbeddings(body({ data }), count).kind).toBe('unusable');
  });

  it.each([
    '',
    'null',
    '[]',
    '7',
    '{}',
    '{"data":{}}',
    '{"data":[null]}',
    '{"data":[7]}',
    '<html></html>',
    '{"data":[',
  ])('is refused with the body %j', (text) => {
    expect(readEmbeddings(Buffer.from(text), 1).kind).toBe('unusable');
  });

  it('is handled without an exception for any JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 3 }), (text, count) => {
        expect(['read', 'unusable']).toContain(readEmbeddings(Buffer.from(text), count).kind);
        expect(['read', 'unusable']).toContain(readEmbeddings(Buffer.from(`{"data":[${text}]}`), 1).kind);
      }),
    );
  });
});
