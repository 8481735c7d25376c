import fc from 'fast-check';
import type { SessionContentEntry } from '../../content/rules/content-kinds.ts';
import {
  buildFallbackTitle,
  builtInTitleGenerator,
  findTitleHint,
  shortenText,
  TITLE_MAX_LENGTH,
} from './session-title.ts';

const facts = { sessionSourceType: 'ci', sessionSourceId: 'run-1', sessionReference: null, titleHint: null };
const captured = { captureContent: true };

describe('the generated title of a session (SESS-8)', () => {
  it('consists of the first words of its user, on one line, truncated at a word boundary', () => {
    const titleHint = `  Fix the\n\n login page ${'and more '.repeat(30)}`;
    const title = builtInTitleGenerator.generateTitle({ ...facts, titleHint }) as string;
    expect(title).toMatch(/^Fix the login page and more/);
    expect(title).toMatch(/(and|more)$/);
    expect(title.length).toBeLessThanOrEqual(TITLE_MAX_LENGTH);
  });

  it.each([
    ['its source while no user has spoken', {}, 'ci run-1'],
    ['the reference people know it by rather than the id', { sessionReference: 'TICKET-7' }, 'ci TICKET-7'],
    ['its source when the words are only white space', { titleHint: ' \n ' }, 'ci run-1'],
  ])('is %s', (_case, given, expected) => {
    expect(builtInTitleGenerator.generateTitle({ ...facts, ...given })).toBe(expected);
  });

  it('never exceeds the limit, splits a character or differs between two calls', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 2, max: 90 }), (text, maxLength) => {
        const short = shortenText(text, maxLength);
        expect(short.length).toBeLessThanOrEqual(maxLength);
        expect(short.isWellFormed()).toBe(true);
        expect(short).toBe(shortenText(text, maxLength));
      }),
    );
  });

  it('retains text without spaces up to the limit', () => {
    expect(shortenText('漢'.repeat(200), 80)).toBe('漢'.repeat(80));
    expect(shortenText('🙂'.repeat(100), 81)).toBe('🙂'.repeat(40));
  });
});

describe('the first words of a user', () => {
  const chat = (request: unknown): SessionContentEntry => ({
    kind: 'gateway_interaction',
    modelAlias: 'm',
    providerName: 'p',
    request,
    response: {},
  });

  it.each<[string, SessionContentEntry[], string | null]>([
    [
      'of an imported transcript',
      [
        { kind: 'transcript_message', role: 'system', content: 'rules' },
        { kind: 'transcript_message', role: 'User', content: [{ type: 'text', text: 'help me' }] },
      ],
      'help me',
    ],
    [
      'of a chat request',
      [
        chat({
          messages: [
            { role: 'system', content: 'rules' },
            { role: 'user', content: 'first' },
            { role: 'user', content: 'second' },
          ],
        }),
      ],
      'first',
    ],
    [
      'of a request in parts',
      [chat({ input: [{ role: 'user', content: [{ type: 'input_text', text: 'part' }] }] })],
      'part',
    ],
    ['of a plain prompt', [chat({ prompt: 'complete this' })], 'complete this'],
    ['of a request that is text', [chat('just text')], 'just text'],
    ['are none when only the system spoke', [chat({ messages: [{ role: 'system', content: 'rules' }] })], null],
    ['are none in odd requests', [chat(7), chat(null), chat([]), chat({ messages: [null, 3, { role: 4 }] })], null],
    [
      'are none in tool calls, notes and logs',
      [
        { kind: 'flow_log', text: 'x' },
        { kind: 'operator_note', text: 'y' },
      ],
      null,
    ],
  ])('%s', (_case, entries, expected) => {
    expect(findTitleHint(entries, captured)).toBe(expected);
  });

  it('are not taken from an interaction whose content is not stored', () => {
    expect(findTitleHint([chat({ prompt: 'secret' })], { captureContent: false })).toBeNull();
  });
});

describe('a truncated credential (MASK-5)', () => {
  const secret = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`;
  const half = secret.slice(4, 14);
  const say = (content: string): SessionContentEntry => ({ kind: 'transcript_message', role: 'user', content });

  it('never appears in a title, regardless of its position in the words of the user', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 120 }), (before) => {
        const titleHint = `${'x'.repeat(before)} ${secret} and more words`;
        expect(builtInTitleGenerator.generateTitle({ ...facts, titleHint })).not.toContain(half);
      }),
    );
  });

  it('never appears in the title from source and reference, regardless of where it is truncated', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 90 }), fc.constantFrom('/', ' ', '=', ':'), (before, joint) => {
        const text = `${'x'.repeat(before)}${joint}${secret}`;
        const facets = [{ sessionSourceId: text }, { sessionReference: text }, { sessionSourceType: text }];
        for (const facet of facets) expect(buildFallbackTitle({ ...facts, ...facet })).not.toContain(half);
      }),
    );
  });

  it.each([19_970, 19_985, 20_000, 40_000])('never appears in the first words after %d blanks', (blanks) => {
    const hint = findTitleHint([say(`${' '.repeat(blanks)}${secret} is my key`)], captured);
    expect(hint ?? '').not.toContain(half);
    expect(hint).toContain('is my key');
  });

  it('never appears in the words stored for a title, regardless of where they are truncated', () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 520 }), (before) => {
        expect(findTitleHint([say(`${'x'.repeat(before)} ${secret}`)], captured)).not.toContain(half);
      }),
    );
  });
});
