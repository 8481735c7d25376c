import type { PolicySchema } from '../../../queries/policy-schema.ts';
import { listChoices } from './list-choices.ts';
import { readPlace } from './read-place.ts';

const SCHEMA: PolicySchema = {
  type: 'object',
  properties: {
    version: { type: 'string', const: '1' },
    rules: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Unique.' },
          match: { type: 'object', properties: { tools: { type: 'array', items: { type: 'string' } } } },
          condition: { type: 'string' },
          action: { type: 'string', enum: ['allow', 'deny'] },
          human_only: { type: 'boolean' },
        },
      },
    },
  },
  'x-condition-names': [
    { name: 'args', kind: 'variable' },
    { name: 'tool', kind: 'variable' },
    { name: 'tool.name', kind: 'field', description: 'Its name.' },
    { name: 'has', kind: 'function' },
    { name: 'contains', kind: 'method' },
    { name: 'in', kind: 'operator' },
  ],
};
const NAMES = { tools: ['github/merge', '*/drop', 'local/Bash'] };

const list = (marked: string) => {
  const at = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  const found = listChoices(readPlace(text, at), SCHEMA, NAMES);
  /** Returns the document after the choice, with the cursor. */
  const choose = (label: string): string => {
    const choice = found?.choices.find((each) => each.label === label);
    const { from } = found!;
    const { insert, cursor } = choice!;
    return `${text.slice(0, from)}${insert.slice(0, cursor)}¦${insert.slice(cursor)}${text.slice(at)}`;
  };
  return { labels: found?.choices.map(({ label }) => label), choose };
};

describe('completion of a policy', () => {
  it.each([
    ['keys of the document', '¦', ['version', 'rules']],
    [
      'keys of a rule that it does not have yet',
      'rules:\n  - id: a\n    ¦\n    action: deny',
      ['match', 'condition', 'human_only'],
    ],
    ['actions', 'rules:\n  - action: ¦', ['allow', 'deny']],
    ['switches', 'rules:\n  - human_only: ¦', ['true', 'false']],
    ['tools of the account', 'rules:\n  - match: { tools: [gi¦', ['github/merge', '*/drop', 'local/Bash']],
    ['names of conditions', 'rules:\n  - condition: ¦', ['args', 'tool', 'has', 'in']],
    ['fields, then methods', 'rules:\n  - condition: has(args.x) && tool.¦', ['name', 'contains']],
    ['methods of anything else', 'rules:\n  - condition: >-\n      args.command.¦', ['contains']],
    ['nothing for a text', 'rules:\n  - id: ¦', []],
    ['nothing on the line of a mapping', 'rules:\n  - match: ¦', undefined],
    ['nothing on the line of a list', 'rules:\n  - match:\n      tools: ¦', undefined],
    ['nothing below an unknown key', 'rulez:\n  - ¦', undefined],
  ])('offers %s', (_name, marked, labels) => {
    expect(list(marked).labels).toEqual(labels);
  });

  it.each([
    ['begins a list in the next line', 'ru¦', 'rules', 'rules:\n  - ¦'],
    ['begins a mapping in the next line', 'rules:\n  - ma¦', 'match', 'rules:\n  - match:\n      ¦'],
    ['opens brackets in a flow mapping', 'rules: [{ match: { to¦ } }]', 'tools', 'rules: [{ match: { tools: [¦] } }]'],
    ['puts a colon behind a key', 'rules:\n  - ac¦', 'action', 'rules:\n  - action: ¦'],
    ['leaves the quotes of JSON', '{"ru¦"', 'rules', '{"rules¦"'],
    [
      'quotes a pattern that YAML would take for an alias',
      'rules: [{ match: { tools: [¦] } }]',
      '*/drop',
      'rules: [{ match: { tools: ["*/drop"¦] } }]',
    ],
    ['quotes the version', 'version: ¦', '1', 'version: "1"¦'],
    [
      'replaces only the last name of a condition',
      'rules:\n  - condition: args.x && to¦',
      'tool',
      'rules:\n  - condition: args.x && tool¦',
    ],
    [
      'puts the cursor between the brackets of a function',
      'rules:\n  - condition: ha¦',
      'has',
      'rules:\n  - condition: has(¦)',
    ],
  ])('%s', (_name, marked, label, expected) => {
    expect(list(marked).choose(label)).toBe(expected);
  });
});
