import { listTexts } from './list-texts.ts';

const listed = (code: string): string[] => listTexts('code.ts', code).map(({ line, text }) => `${line}: ${text}`);

describe('the texts of a source file', () => {
  it('include comments of every kind, and join line comments of consecutive lines', () => {
    const code = `/** One. */
const a = 1; // Two.
// Three
// goes on.
/*
 * Four
 * goes on.
 */
export { a };
`;
    expect(listed(code)).toEqual(['1: One.', '2: Two.', '3: Three goes on.', '5: Four\ngoes on.']);
  });

  it('include titles of tests and of their blocks', () => {
    expect(listed(`describe('a flow', () => {\n  it.each([1])('runs', () => {});\n});\n`)).toEqual([
      '1: a flow',
      '2: runs',
    ]);
  });

  it('name the blocks around a title', () => {
    const code = `describe('a flow', () => {\n  describe('in a queue', () => {\n    it('waits', () => {});\n  });\n});\n`;
    expect(listTexts('code.ts', code).map(({ blocks }) => blocks)).toEqual([[], ['a flow'], ['a flow', 'in a queue']]);
  });

  it('exclude directives, and text within strings', () => {
    expect(listed(`// eslint-disable-next-line no-console\nconst a = '// no comment';\n`)).toEqual([]);
  });
});
