import { specTypeSchemas } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { parseExactJson, toPlainJson } from '@steward/text';
import { fitResult, fitToObject } from './fit-result.ts';
import { fitTools, fitToolToObject } from './fit-tool.ts';

const check = (schema: keyof typeof specTypeSchemas, value: unknown) => {
  const checked = specTypeSchemas[schema]['~standard'].validate(toPlainJson(value));
  return checked instanceof Promise ? ['not read at once'] : (checked.issues ?? []);
};
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(7, -1, 0.5)).map((value) => value as unknown);
const anything = fc.oneof(number, fc.constantFrom(null, true, 'x', ''), fc.jsonValue() as fc.Arbitrary<unknown>);
/** Generates objects with members that the protocol defines, some of them with invalid values. */
const object = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(Object.fromEntries(Object.entries(members).map(([name, known]) => [name, fc.oneof(known, anything)])), {
    requiredKeys: [],
  });
const annotations = object({ priority: number, audience: fc.constant(['user']), lastModified: fc.constant('x') });
const item = object({
  type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'json'),
  text: fc.string(),
  data: fc.constantFrom('AAAA', 'AAA', 'data:image/png;base64,AAAA', '!', 'A\nA'),
  mimeType: fc.constant('image/png'),
  uri: fc.constant('a://b'),
  name: fc.string(),
  resource: object({ uri: fc.constant('a://b'), text: fc.string(), blob: fc.constant('AAAA') }),
  annotations,
  _meta: object({}),
});
const result = object({
  content: fc.array(fc.oneof(item, anything)),
  structuredContent: object({}),
  isError: fc.boolean(),
  _meta: object({}),
  resultType: fc.string(),
});
const schema = object({
  type: fc.constantFrom('object', 'array'),
  properties: object({ a: object({}), b: fc.boolean() }),
  required: fc.array(fc.oneof(fc.string(), anything)),
});
const tool = object({
  name: fc.constant('odd'),
  title: fc.string(),
  description: fc.string(),
  inputSchema: schema,
  outputSchema: schema,
  annotations: object({ readOnlyHint: fc.boolean(), title: fc.string() }),
  icons: fc.array(object({ src: fc.constant('a://b') })),
  execution: object({ taskSupport: fc.constantFrom('required', 'optional', 'forbidden') }),
  _meta: object({}),
});
/** Returns the value as it is parsed from a server. */
const sent = (value: unknown): unknown => parseExactJson(JSON.stringify(value));

describe('any response of a server', () => {
  it('to a call is converted to a result that clients accept, with its whole content (TOOL-22)', () => {
    fc.assert(
      fc.property(fc.oneof(result, anything), fc.string(), (odd, said) => {
        const content = (odd as { content?: unknown } | null)?.content;
        const whole = {
          ...(odd as object),
          content: [{ type: 'text', text: said }, ...(Array.isArray(content) ? content : [])],
        };
        const fitted = fitToObject(fitResult(sent(whole)));
        expect(check('CallToolResult', fitted)).toEqual([]);
        expect(fitted.content[0]).toEqual({ type: 'text', text: said });
        expect(fitted.content.length).toBeGreaterThanOrEqual(whole.content.length);
        expect(check('CallToolResult', fitToObject(fitResult(sent(odd))))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('with tools is converted to a list that clients accept, in which an invalid tool does not affect the others (MCP-6)', () => {
    const good = { name: 'good', inputSchema: { type: 'object' } };
    fc.assert(
      fc.property(fc.array(fc.oneof(tool, anything), { maxLength: 3 }), (odd) => {
        const { tools, faults } = fitTools(sent([...odd, good]) as unknown[]);
        for (const each of tools) expect(check('Tool', fitToolToObject(each as never))).toEqual([]);
        expect(tools.at(-1)).toEqual(good);
        if (tools.length <= odd.length) expect(faults.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });
});
