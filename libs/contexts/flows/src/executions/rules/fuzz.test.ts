import fc from 'fast-check';
import { posix, win32 } from 'node:path';
import { readPath, splitPath } from './read-path.ts';
import { redactEveryContent } from './redact-content.ts';
import { MAX_RENDERED_BYTES, renderTemplate } from './render-template.ts';
import { describePathProblem, validateWorkspaceFiles } from './workspace-files.ts';

/** Maximum CPU time in milliseconds that 4 MiB of input may take; most inputs take milliseconds on an idle machine. */
const TIMEOUT_MS = 5000;
const BODY_BYTES = 4 * 1024 * 1024;

/** Returns CPU milliseconds of this process: time that a busy machine spends on other processes does not count. */
function measure(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}

/** Fragments that are often parsed wrongly, which a generator combines. */
const fragment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('..', '.', '', '~', '~root', '.git', '.GIT', '.git ', 'git~1', '.gıt', 'a') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('con', 'NUL.txt', 'com¹', 'lpt9', 'C:', 'C:a', '\\', '\\\\?\\', '%2e%2e', '..;', '...'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\u0000', '\u202e', '\u200b..', '․․', '．．', '\ud800', 'cafe\u0301', '\ufeff..'),
  },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);
const path = fc
  .array(fc.tuple(fragment, fc.constantFrom('/', '/', '//', '/./', '\\', '')), { maxLength: 12 })
  .map((pieces) => pieces.flat().join(''));

describe('workspace paths', () => {
  it('that are accepted are normalized and stay below the root on every operating system', () => {
    fc.assert(
      fc.property(path, (candidate) => {
        if (describePathProblem(candidate) !== undefined) return;
        const outcome = validateWorkspaceFiles([{ path: candidate, content_base64: '' }]);
        if (outcome.kind !== 'valid') throw new Error('a path without a problem was refused');
        const stored = outcome.files[0]?.path ?? '';
        expect(posix.resolve('/workspace', stored)).toBe(`/workspace/${stored}`);
        expect(win32.resolve('C:\\workspace', stored).toLowerCase().startsWith('c:\\workspace\\')).toBe(true);
        expect(stored).not.toMatch(/(^|\/)(\.{0,2}|\.git)(\/|$)/i);
        // The path that the worker reads from its row passes the same check and refers to the same file.
        expect(validateWorkspaceFiles([{ path: stored, content_base64: '' }])).toMatchObject({
          files: [{ path: stored }],
        });
      }),
      { numRuns: 20_000 },
    );
  });

  it('are never accepted if two of them refer to the same location on any file system', () => {
    fc.assert(
      fc.property(path, path, (first, second) => {
        const outcome = validateWorkspaceFiles([first, second].map((each) => ({ path: each, content_base64: '' })));
        if (outcome.kind !== 'valid') return;
        const places = outcome.files.map((file) => file.path.normalize('NFC').toLowerCase());
        expect(new Set(places).size).toBe(2);
        expect(places[0]?.startsWith(`${places[1]}/`) || places[1]?.startsWith(`${places[0]}/`)).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('base64', () => {
  const REFERENCE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;
  const text = fc.oneof(
    fc.string({
      unit: fc.constantFrom('A', 'Q', 'g', '9', '+', '/', '=', '-', '_', ' ', '\n', '\u00a0'),
      maxLength: 24,
    }),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.base64String({ maxLength: 40 }),
  );

  it('is accepted if and only if it is canonical, ignoring ASCII white space', () => {
    fc.assert(
      fc.property(text, (content) => {
        const accepted = validateWorkspaceFiles([{ path: 'a', content_base64: content }]).kind === 'valid';
        expect(accepted).toBe(REFERENCE.test(content.replaceAll(/[\t\n\v\f\r ]/g, '')));
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('any declaration of workspace files', () => {
  const entry = fc.oneof(
    fc.jsonValue(),
    fc.record({ path: fc.oneof(path, fc.jsonValue()), content_base64: fc.oneof(fc.base64String(), fc.jsonValue()) }),
  );

  it('is valid, invalid or too large, never causes a crash, and leads only to printable messages', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(entry, { maxLength: 60 })), (declaration) => {
        const outcome = validateWorkspaceFiles(declaration);
        if (outcome.kind === 'valid') return;
        expect(outcome.message.length).toBeLessThan(600);
        expect(outcome.message).not.toMatch(/[\p{Cc}\ud800-\udfff]/u);
      }),
      { numRuns: 3000 },
    );
  });

  it.each<[string, () => unknown]>([
    ['a path of dots', () => [{ path: '../'.repeat(BODY_BYTES / 3), content_base64: '' }]],
    ['a path of folders', () => [{ path: 'a/'.repeat(BODY_BYTES / 2), content_base64: '' }]],
    ['a path of combining marks', () => [{ path: '\u0301'.repeat(BODY_BYTES / 2), content_base64: '' }]],
    [
      'paths of the maximum depth',
      () => Array.from({ length: 50 }, (_, n) => ({ path: `${'a/'.repeat(500)}${n}`, content_base64: '' })),
    ],
    ['white space', () => [{ path: 'a', content_base64: ' \n'.repeat(BODY_BYTES / 2) }]],
    ['white space between letters', () => [{ path: 'a', content_base64: 'A '.repeat(BODY_BYTES / 2) }]],
    ['padding', () => [{ path: 'a', content_base64: '='.repeat(BODY_BYTES) }]],
    ['an endless key', () => [{ path: 'a', content_base64: '', ['k'.repeat(BODY_BYTES)]: 1 }]],
    ['many entries', () => Array.from({ length: 500_000 }, () => ({ path: 'a' }))],
  ])('of 4 MiB of %s is checked quickly', (_what, build) => {
    const declaration = build();
    expect(measure(() => validateWorkspaceFiles(declaration))).toBeLessThan(TIMEOUT_MS);
  });
});

describe('templates', () => {
  const contextOf = (payload: unknown) => ({
    trigger_event: { source: 'manual', payload },
    execution: { id: 'the-id' },
  });
  const placeholder = fc.constantFrom(
    '{{trigger_event}}',
    '{{trigger_event.payload}}',
    '{{ trigger_event.payload.a.b[0] | truncate(3) }}',
    '{{trigger_event.payload.a|truncate}}',
    '{{trigger_event.payload.__proto__}}',
    '{{execution.id}}',
    '{{',
    '}}',
    '|truncate(',
    '{{{{execution.id}}}}',
  );
  const template = fc.array(fc.oneof(placeholder, fc.string({ unit: 'binary', maxLength: 10 })), { maxLength: 20 });

  it('are rendered with any payload, whose content is never treated as a placeholder', () => {
    fc.assert(
      fc.property(template, fc.jsonValue(), (pieces, payload) => {
        const outcome = renderTemplate(pieces.join(''), contextOf(payload));
        expect(outcome.kind).toBe('rendered');
        const nested = renderTemplate('{{trigger_event.payload.a}}', contextOf({ a: pieces.join('') }));
        expect(nested).toEqual({ kind: 'rendered', text: pieces.join(''), missing: [] });
      }),
      { numRuns: 5000 },
    );
  });

  it('never show content_base64 in an embedded event, at any depth', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'list', 'content_base64'), { maxLength: 12 }), (keys) => {
        let payload: unknown = { content_base64: 'CANARY' };
        for (const key of keys) payload = key === 'list' ? [payload] : { [key]: payload };
        const outcome = renderTemplate('{{trigger_event}} {{trigger_event.payload|truncate}}', contextOf(payload));
        expect(JSON.stringify([outcome, redactEveryContent(payload)])).not.toContain('CANARY');
      }),
    );
  });

  it('resolve paths of any form to a value or to nothing', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.string({ unit: fc.constantFrom('a', '.', '[', ']', '0', '9', '-', '_') }),
        (value, text) => {
          const found = readPath(value, splitPath(text));
          expect([true, false]).toContain(found.found);
        },
      ),
    );
  });

  const deep = (levels: number, text: string): unknown => {
    let value: unknown = { text };
    for (let level = 0; level < levels; level += 1) value = [value];
    return value;
  };
  const levels = (count: number): string =>
    Array.from({ length: count }, (_, n) => `{{trigger_event.payload${'.0'.repeat(n)}|truncate(1)}}`).join('');

  it.each<[string, string, unknown]>([
    [
      'one large value truncated to a thousand lengths',
      Array.from({ length: 3000 }, (_, n) => `{{trigger_event.payload.a|truncate(${n % 50})}}`).join(''),
      { a: 'x'.repeat(BODY_BYTES) },
    ],
    [
      'one large object in a thousand notations',
      Array.from(
        { length: 2000 },
        (_, n) => `{{trigger_event.payload.l${n % 2 ? '.0' : '[0]'}.l${n % 4 > 1 ? '.0' : '[0]'}|truncate(${n % 9})}}`,
      ).join(''),
      { l: [{ l: [{ t: 'x'.repeat(BODY_BYTES) }] }] },
    ],
    ['a payload 190 deep, embedded at each level', levels(190), deep(190, 'x'.repeat(BODY_BYTES))],
    [
      'the whole event, truncated a thousand times,',
      '{{trigger_event|truncate(10)}}'.repeat(3000),
      { a: 'x'.repeat(BODY_BYTES) },
    ],
    ['unfinished placeholders', '{{trigger_event.'.repeat(6250), {}],
    ['a very long path', `{{${'a.'.repeat(50_000)}}}`, {}],
    ['very many spaces', `{{${' '.repeat(99_000)}a}}`, {}],
  ])('%s take bounded time', (_what, text, payload) => {
    expect(measure(() => renderTemplate(text, contextOf(payload)))).toBeLessThan(TIMEOUT_MS);
  });

  it('are refused with the name of the limit that they exceed', () => {
    const outcome = renderTemplate(levels(190), contextOf(deep(190, 'x'.repeat(BODY_BYTES))));
    expect(outcome).toEqual({ kind: 'too_large', limit: MAX_RENDERED_BYTES });
  });
});
