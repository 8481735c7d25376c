import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { useFolder } from '@steward/testing';
import { listUncitedRules, listUnknownRules, readContractRules } from './contract-rules.ts';

describe('the check of rules', () => {
  const root = useFolder();

  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root(), file)), { recursive: true });
    writeFileSync(join(root(), file), text);
  };

  it('finds rules only in list items and table rows', () => {
    write(
      'docs/contract/a.md',
      '- **AAA-1** First.\n- **AAA-2** As AAA-1.\n\n| rule  | what |\n| AAA-3 | row |\n| UTF-8 text | |\n',
    );
    expect([...readContractRules(root()).pages]).toEqual([
      ['AAA-1', 'docs/contract/a.md'],
      ['AAA-2', 'docs/contract/a.md'],
      ['AAA-3', 'docs/contract/a.md'],
    ]);
  });

  it('reports each citation of an unknown rule, with its files', () => {
    write('docs/contract/a.md', '- **AAA-1** First; see AAA-9.\n');
    write('libs/x/src/x.ts', '/** Kept here (AAA-1, AAA-9). UTF-8, SHA-256. */');
    write('libs/x/node_modules/y/y.ts', '// AAA-7');
    expect(listUnknownRules(readContractRules(root()))).toEqual([
      'AAA-9 is no rule of docs/contract; named in docs/contract/a.md, libs/x/src/x.ts',
    ]);
  });

  it('reports rules that no code cites, even if another page cites them', () => {
    write('docs/contract/a.md', '- **AAA-1** First.\n- **AAA-2** Second, not AAA-1.\n');
    write('apps/x/src/x.test.ts', "it('keeps it (AAA-2)');");
    expect(listUncitedRules(readContractRules(root()))).toEqual(['AAA-1']);
  });

  it('refuses an id that is defined twice', () => {
    write('docs/contract/a.md', '- **AAA-1** First.\n');
    write('docs/contract/b.md', '- **AAA-1** Another.\n');
    expect(() => readContractRules(root())).toThrow(
      'AAA-1 is stated twice, in docs/contract/a.md and in docs/contract/b.md',
    );
  });
});
