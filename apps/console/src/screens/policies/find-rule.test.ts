import { findRule } from './find-rule.ts';

it.each([
  ['a rule with one key per line', 'rules:\n  - id: other\n  - id: no-drop\n', 3],
  ['a rule on one line', 'rules:\n  - { id: no-drop, action: deny }', 2],
  ['a rule of JSON', '{"rules": [\n{"description": "id: x", "id": "no-drop"}]}', 2],
  ['a rule with a comment', 'rules:\n  - id: no-drop # tables\n', 2],
  ['a longer id', 'rules:\n  - id: no-drop-2\n', undefined],
])('finds the line of %s', (_name, text, line) => {
  expect(findRule(text, 'no-drop')).toBe(line);
});
