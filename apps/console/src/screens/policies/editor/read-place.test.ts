import { readPlace } from './read-place.ts';

/** Returns the place at the character ¦ of a document. */
const read = (marked: string) => {
  const at = marked.indexOf('¦');
  return readPlace(marked.slice(0, at) + marked.slice(at + 1), at);
};

describe('the place in a policy that is being written', () => {
  it.each([
    ['an empty document', '¦', 'open', '', ''],
    ['a key of the document', 'version: "1"\nru¦', 'open', '', 'ru'],
    ['an empty line below a key', 'rules:\n  ¦', 'open', 'rules', ''],
    ['an item of a list', 'rules:\n  - ¦', 'open', 'rules/0', ''],
    ['an item whose dash has the column of the key', 'rules:\n- id: a\n- i¦', 'open', 'rules/1', 'i'],
    ['a key behind a list of that column', 'rules:\n- id: a\ndef¦', 'open', '', 'def'],
    ['a further key of an item', 'rules:\n  - id: a\n    ac¦', 'open', 'rules/0', 'ac'],
    ['a value', 'rules:\n  - id: a\n    action: de¦', 'value', 'rules/0/action', 'de'],
    ['a value that is missing', 'rules:\n  - id: a\n    action: ¦', 'value', 'rules/0/action', ''],
    ['a quoted value', 'rules:\n  - action: "de¦', 'value', 'rules/0/action', 'de'],
    ['a nested mapping', 'rules:\n  - id: a\n    match:\n      to¦', 'open', 'rules/0/match', 'to'],
    [
      'an item of a nested list',
      'rules:\n  - match:\n      tools:\n        - gi¦',
      'open',
      'rules/0/match/tools/0',
      'gi',
    ],
    ['a flow mapping', 'rules:\n  - { id: a, ac¦', 'open', 'rules/0', 'ac'],
    [
      'a flow mapping over lines',
      'rules:\n  - { id: a,\n      match: { tools: [a/b],\n  ag¦',
      'open',
      'rules/0/match',
      'ag',
    ],
    ['a flow list', 'rules:\n  - match: { tools: [a/b, c¦', 'open', 'rules/0/match/tools/1', 'c'],
    ['a quoted item of a flow list', 'rules:\n  - match: { tools: ["a/b", "c¦', 'open', 'rules/0/match/tools/1', 'c'],
    ['a value behind a flow list', 'rules:\n  - { match: { tools: [a] }, action: d¦', 'value', 'rules/0/action', 'd'],
    [
      'a line of a block scalar',
      'rules:\n  - condition: >-\n      args.x &&\n      se¦',
      'value',
      'rules/0/condition',
      'se',
    ],
    ['a key behind a block scalar', 'rules:\n  - condition: |\n      args: x\n    a¦', 'open', 'rules/0', 'a'],
    ['an item behind others', 'rules:\n  - id: a\n    action: deny\n\n  # next\n  - i¦', 'open', 'rules/1', 'i'],
    ['a key of JSON', '{\n  "version": "1",\n  "ru¦', 'open', '', 'ru'],
    ['a value of JSON', '{"rules": [{"id": "a", "action": "d¦', 'value', 'rules/0/action', 'd'],
    ['a second item of JSON', '{"rules": [{"id": "a"}, {"¦', 'open', 'rules/1', ''],
    ['a value with quotes and colons', 'rules:\n  - id: a\n    description: "a: b"\n    a¦', 'open', 'rules/0', 'a'],
  ])('is known in %s', (_name, marked, kind, path, typed) => {
    const place = read(marked);
    expect([place.kind, place.path.join('/'), place.typed]).toEqual([kind, path, typed]);
  });

  it('names the other keys of the mapping, before and behind', () => {
    const block = read('rules:\n  - id: a\n    ¦\n    match: {}\n    action: deny\n  - condition: b\n');
    expect([...block.taken]).toEqual(['id', 'match', 'action']);
    const flow = read('rules: [{ id: a, ¦, match: { tools: [] }, "action": deny }, { condition: b }]');
    expect([...flow.taken]).toEqual(['id', 'match', 'action']);
    expect([...read('rules:\n  - match:\n      ¦\n    action: deny\n').taken]).toEqual([]);
  });
});
