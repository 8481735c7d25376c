import fc from 'fast-check';
import { renderTemplate, type TemplateContext } from './render-template.ts';
import { truncateBytes } from './truncate-bytes.ts';

const contextOf = (payload: unknown): TemplateContext => ({
  trigger_event: { source: 'webhook', type: 'webhook', payload },
  execution: { id: 'e1' },
});
const render = (template: string, payload: unknown = {}): string => {
  const outcome = renderTemplate(template, contextOf(payload));
  return outcome.kind === 'rendered' ? outcome.text : outcome.kind;
};

describe('the template renderer', () => {
  it.each([
    ['a string', '{{trigger_event.payload.a}}', { a: 'x' }, 'x'],
    ['a placeholder with spaces', '{{ trigger_event.payload.a }}', { a: 'x' }, 'x'],
    ['a number', '{{trigger_event.payload.a}}', { a: 1.5 }, '1.5'],
    ['a boolean', '{{trigger_event.payload.a}}', { a: false }, 'false'],
    ['an array by index', '{{trigger_event.payload.a.1}}', { a: ['x', 'y'] }, 'y'],
    ['an array with brackets', '{{trigger_event.payload.a[0].b}}', { a: [{ b: 'z' }] }, 'z'],
    ['an object as compact JSON', '{{trigger_event.payload.a}}', { a: { b: [1, null] } }, '{"b":[1,null]}'],
    ['keys in any language', '{{trigger_event.payload.größe.名前}}', { größe: { 名前: 'y' } }, 'y'],
    ['header names', '{{trigger_event.payload.x-github-event}}', { 'x-github-event': 'push' }, 'push'],
    ['fields of the execution', '{{execution.id}}', {}, 'e1'],
    ['text around a placeholder', 'a {{trigger_event.payload.a}} b', { a: 'x' }, 'a x b'],
    ['a template without placeholders', 'plain { } {{ }} text', {}, 'plain { } {{ }} text'],
  ])('renders %s (FLOW-41)', (_what, template, payload, expected) => {
    expect(render(template, payload)).toBe(expected);
  });

  it('renders a missing path as an empty string and names it (FLOW-42)', () => {
    const outcome = renderTemplate('[{{trigger_event.payload.a.b}}][{{unknown.root}}]', contextOf({ a: 'text' }));
    expect(outcome).toEqual({ kind: 'rendered', text: '[][]', missing: ['trigger_event.payload.a.b', 'unknown.root'] });
  });

  it.each(['__proto__', 'constructor', 'toString', 'a.length', 'a.__proto__.x'])(
    'never resolves prototypes: %s',
    (path) => {
      expect(render(`{{trigger_event.payload.${path}}}`, { a: 'x' })).toBe('');
    },
  );

  it('redacts every content_base64 in embedded events, and only there', () => {
    const payload = {
      workspace_files: [{ path: 'a', content_base64: 'c2VjcmV0' }],
      deep: { content_base64: 'c2VjcmV0' },
    };
    expect(render('{{trigger_event}}{{trigger_event.payload}}', payload)).not.toContain('c2VjcmV0');
    expect(render('{{trigger_event.payload.workspace_files.0.content_base64}}', payload)).toBe('c2VjcmV0');
  });

  it('treats the content of values as text, never as placeholders (FLOW-25)', () => {
    expect(render('{{trigger_event.payload.a}}', { a: '{{execution.id}}' })).toBe('{{execution.id}}');
  });

  it('treats reserved keys like any other', () => {
    const payload = { ai_model_id: 'm', _matrix: [1], nested: { _model_routing: 'x', assessment: 'y' }, _resume: true };
    expect(
      render('{{trigger_event.payload.ai_model_id}} {{trigger_event.payload.nested._model_routing}}', payload),
    ).toBe('m x');
  });

  it.each([
    ['|truncate(5)', 5],
    ['|truncate( 5 )', 5],
    [' | truncate(5) ', 5],
    ['|truncate', 16_384],
    ['|truncate()', 16_384],
    ['|truncate(-1)', 16_384],
    ['|truncate(0)', 0],
  ])('%s is truncated at %i bytes (FLOW-43)', (filter, limit) => {
    const text = 'x'.repeat(20_000);
    expect(render(`{{trigger_event.payload.a${filter}}}`, { a: text })).toBe(truncateBytes(text, limit));
  });

  it('takes linear time: a hundred kilobytes of partial placeholders render quickly', () => {
    const before = process.cpuUsage();
    for (const piece of ['{{', '{{a', '{{ a |', '{{a|truncate(', '{{ '.repeat(3), '}}{{'])
      render(piece.repeat(100_000 / piece.length));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });

  it('refuses to exceed its limit (LIM-31)', () => {
    expect(render('{{trigger_event}}'.repeat(200), { a: 'x'.repeat(100_000) })).toBe('too_large');
  });

  it('never fails, for any template and payload', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (template, payload) => {
        expect(renderTemplate(`${template}{{trigger_event.payload|truncate(10)}}`, contextOf(payload)).kind).toBe(
          'rendered',
        );
      }),
    );
  });
});

describe('truncation', () => {
  it('happens between characters and reports the correct numbers', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(60), (text, limit) => {
        const total = Buffer.byteLength(text);
        const result = truncateBytes(text, limit);
        if (total <= limit) return expect(result).toBe(text);
        const [, prefix = '', shown, said] =
          /^([\s\S]*)\n\n\[truncated by Steward: showing (\d+) of (\d+) bytes; fetch the rest with the tool that owns this object\]$/.exec(
            result,
          ) ?? [];
        expect(text.startsWith(prefix)).toBe(true);
        expect([Number(shown), Number(said)]).toEqual([Buffer.byteLength(prefix), total]);
        expect(Number(shown)).toBeLessThanOrEqual(limit);
        return expect(limit - Number(shown)).toBeLessThan(4);
      }),
    );
  });
});
