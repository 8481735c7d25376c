import { listMessages } from './list-messages.ts';

const listed = (code: string): string[] => listMessages('code.tsx', code).map(({ line, text }) => `${line}: ${text}`);

describe('the messages of a source file', () => {
  it('include strings, templates and texts of elements', () => {
    const code = `throw new Error('The flow has ended.');
const text = \`Retry in \${seconds} seconds\`;
const label = <p title="Name of the flow">
  No flow
  runs.
</p>;
`;
    expect(listed(code)).toEqual([
      '1: The flow has ended.',
      '2: Retry in … seconds',
      '3: Name of the flow',
      '4: No flow runs.',
    ]);
  });

  it('exclude codes, names of modules, types, SQL and attributes with code', () => {
    const code = `import a from 'not a text';
const code = 'not_found';
type Kind = 'no text either';
const rows = sql\`select one from two\`;
const other = 'select one from two';
const box = <p className="two classes" />;
`;
    expect(listed(code)).toEqual([]);
  });
});
