import { findLine } from './find-line.ts';

it.each([
  [1, 0],
  [2, 2],
  [3, 3],
  [4, 5],
  [9, 5],
])('line %d of a text begins at offset %d', (line, at) => {
  expect(findLine('a\n\nb\n', line)).toBe(at);
});
