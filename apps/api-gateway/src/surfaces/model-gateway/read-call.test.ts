import fc from 'fast-check';
import type { CallPath } from '@steward/model-calls';
import { findMembers } from './find-members.ts';
import { readCall, writeProviderBody } from './read-call.ts';

const CHAT = '/chat/completions';
const write = (text: string, asksForUsage = true): string =>
  Buffer.concat(writeProviderBody(readCall(CHAT, Buffer.from(text)), 'served', asksForUsage)).toString();

describe('the body for a provider (GW-4)', () => {
  it.each([
    ['{"model":"a"}', '{"stream_options":{"include_usage":true},"model":"served"}'],
    ['\n{ "model" : "a" ,"n":1.0}', '\n{"stream_options":{"include_usage":true}, "model" : "served" ,"n":1.0}'],
    ['{"model":"a","stream_options":null}', '{"model":"served","stream_options":{"include_usage":true}}'],
    ['{"stream_options": { } ,"model":"a"}', '{"stream_options": {"include_usage":true } ,"model":"served"}'],
    [
      '{"model":"a","stream_options":{"x":9007199254740993}}',
      '{"model":"served","stream_options":{"include_usage":true,"x":9007199254740993}}',
    ],
    [
      '{"stream_options":{"include_usage": false,"x":1},"model":"a"}',
      '{"stream_options":{"include_usage": true,"x":1},"model":"served"}',
    ],
    [
      '{"stream_options":{"include_usage":true},"model":"a"}',
      '{"stream_options":{"include_usage":true},"model":"served"}',
    ],
    ['{"stream_options":7,"model":"a"}', '{"stream_options":7,"model":"served"}'],
  ])('requests the usage: %s', (sent, written) => expect(write(sent)).toBe(written));

  it.each([10, 300 * 1024])('has the same edits at any size, with any characters: %d characters', (length) => {
    const rest = `"messages":"${'ž'.repeat(length)}"}`;
    const body = readCall(CHAT, Buffer.from(`{"model":"ä",${rest}`));
    const usage = '"stream_options":{"include_usage":true},';
    expect(Buffer.concat(writeProviderBody(body, 'modèle', true)).toString()).toBe(`{${usage}"model":"modèle",${rest}`);
    expect(Buffer.concat(writeProviderBody(body, '', false)).toString()).toBe(`{"model":"",${rest}`);
  });

  it('is identical if nothing changes', () => {
    const body = readCall(CHAT, Buffer.from('{"model":"served"}'));
    expect(writeProviderBody(body, 'served', false)[0]).toBe(body.bytes);
    expect(write('{"model":"a","stream_options":null}', false)).toBe('{"model":"served","stream_options":null}');
  });
});

describe('a call', () => {
  it.each<[CallPath, string, boolean]>([
    ['/responses', '{"model":"a","background":true}', true],
    [CHAT, '{"model":"a","background":true}', false],
  ])('to %s continues without its client: %s', (path, text, isBackground) => {
    expect(readCall(path, Buffer.from(text)).isBackground).toBe(isBackground);
  });

  it.each<[CallPath, string, boolean, number | undefined, number]>([
    [CHAT, '{}', false, undefined, 1],
    [CHAT, '{"stream":true,"max_tokens":5}', true, 5, 1],
    [CHAT, '{"stream":"true","max_tokens":5,"max_completion_tokens":7,"n":3}', false, 7, 3],
    [CHAT, '{"stream":true,"max_completion_tokens":9,"best_of":4,"n":2}', true, 9, 4],
    [CHAT, '{"max_tokens":"many","n":2}', false, undefined, 2],
    [CHAT, '{"max_tokens":"","n":0}', false, undefined, 1],
    [CHAT, '{"max_tokens":" 1_000 ","n":"8"}', false, 1000, 8],
    [CHAT, '{"max_tokens":5,"max_output_tokens":9}', false, 5, 1],
    ['/responses', '{"max_output_tokens":9,"max_tokens":5,"n":3}', false, 9, 1],
    ['/responses', '{"max_tokens":5}', false, undefined, 1],
    ['/messages', '{"max_tokens":5,"max_completion_tokens":900,"n":3}', false, 5, 1],
    ['/embeddings', '{"max_tokens":5,"n":3}', false, undefined, 1],
  ])('to %s has these properties: %s', (path, more, isStream, maxOutputTokens, answers) => {
    const text = `{"model":"a"${more === '{}' ? '' : ','}${more.slice(1)}`;
    expect(readCall(path, Buffer.from(text))).toMatchObject({ isStream, maxOutputTokens, answers });
  });
});

/** Reads a body as other servers do: with the last or the first of duplicate names, case-sensitive or not. */
function readLike(text: string, field: string, { isFirst, folds }: { isFirst: boolean; folds: boolean }): unknown {
  const found: unknown[] = [];
  const members = findMembers(Buffer.from(text), () => true) ?? [];
  for (const { name, start, end } of members)
    if (name === field || (folds && name.toUpperCase().toLowerCase() === field))
      found.push(JSON.parse(Buffer.from(text).subarray(start, end).toString()));
  return isFirst ? found[0] : found.at(-1);
}

describe('the validated part of a call (GW-17)', () => {
  const NAMES = [
    'model',
    'Model',
    'MODEL',
    'mod\u0065l',
    'max_tokens',
    'Max_Tokens',
    'maxTokens',
    'max_to\u212aens',
    'n',
    'N',
    'stream',
    '\u017ftream',
    'other',
  ];
  const member = fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom('"a"', '"b"', '1', '9', 'true', 'false', 'null'));

  it('is read identically by every parser, for every body that is forwarded', () => {
    fc.assert(
      fc.property(fc.array(member, { maxLength: 5 }), (members) => {
        const text = `{"model":"a"${members.map(([name, value]) => `,"${name}":${value}`).join('')}}`;
        let isRefused = false;
        try {
          readCall(CHAT, Buffer.from(text));
        } catch {
          isRefused = true;
        }
        const readers = [true, false].flatMap((isFirst) => [true, false].map((folds) => ({ isFirst, folds })));
        for (const field of ['model', 'max_tokens', 'n', 'stream']) {
          const read = readers.map((reader) => readLike(text, field, reader));
          if (!isRefused) expect([text, new Set(read).size]).toEqual([text, 1]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['{"model":"a","Model":"b"}', '"Model": write it as "model"'],
    ['{"model":"a","model":"a"}', 'more than once'],
    ['{"model":"a","mod\\u0065l":"b"}', 'more than once'],
    ['{"model":"a","max_tokens":1,"Max_Tokens":1000}', 'write it as "max_tokens"'],
    ['{"model":"a","maxTokens":1000}', 'write it as "max_tokens"'],
    ['{"model":"a","models":["b"]}', 'fall'],
    ['{"model":"a","n":100,"n":1}', 'more than once'],
  ])('is refused if parsers would read it differently: %s', (text, words) => {
    expect(() => readCall(CHAT, Buffer.from(text))).toThrow(words);
  });
});
