import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { useFolder } from '@steward/testing';
import { listMissingFiles } from './missing-files.ts';

describe('files named in documents', () => {
  const root = useFolder();
  const write = (file: string, text = '') => {
    mkdirSync(dirname(join(root(), file)), { recursive: true });
    writeFileSync(join(root(), file), text);
  };

  it('are found by their path, by the end of it, as a folder, by a pattern and up to a placeholder', () => {
    write('libs/contexts/flows/src/flow-fields.ts');
    write(
      'docs/develop/architecture/page.md',
      '`libs/contexts/flows/src/flow-fields.ts` `src/flow-fields.ts` `flow-fields.ts` `libs/contexts/flows` `libs/contexts/*/src` `libs/contexts/NAME/x.ts` `libs/contexts/flows/src/VERB-NOUN.ts`',
    );
    expect(listMissingFiles(root())).toEqual([]);
  });

  it('are missing if they were moved or never existed', () => {
    write('libs/contexts/flows/src/flow-fields.ts');
    write(
      'docs/develop/architecture/page.md',
      'See `libs/contexts/flows/flow-fields.ts`, `fields.ts` and `tools/none/NAME.ts`.',
    );
    expect(listMissingFiles(root())).toEqual([
      'docs/develop/architecture/page.md names libs/contexts/flows/flow-fields.ts, which is not there',
      'docs/develop/architecture/page.md names fields.ts, which is not there',
      'docs/develop/architecture/page.md names tools/none, which is not there',
    ]);
  });

  it('are reported as missing if a table has a column for tests and a row names none', () => {
    write('libs/a/src/kept.int.test.ts');
    const rows = [
      '| attack | test |',
      '| --- | --- |',
      '| one | `a/src/kept.int.test.ts` |',
      '| two | to be named |',
      '',
      '| a | b |',
      '| - | - |',
      '| x | y |',
    ];
    write('docs/operate/threat-model.md', rows.join('\n'));
    expect(listMissingFiles(root())).toEqual(['docs/operate/threat-model.md names no test for "two"']);
  });

  it('are reported together with identifiers that occur in no source, except in code blocks', () => {
    write('libs/a/src/flow-fields.ts', 'export function readFields() { return `select flow_id`; }');
    write(
      'docs/develop/architecture/page.md',
      '`readFields(...)` makes a `FlowField` of `flow_id` and `FLOW_URL`.\n\n```sh\nexport `OTHER_URL`\n```\n`npm run docs`\n',
    );
    expect(listMissingFiles(root())).toEqual([
      'docs/develop/architecture/page.md names FlowField, which no source has',
      'docs/develop/architecture/page.md names FLOW_URL, which no source has',
    ]);
  });

  it('are reported together with identifiers in rules that occur in no source', () => {
    write('libs/a/src/flow-fields.ts', 'export const FIELDS = { is_enabled: true };');
    write(
      'docs/contract/flows.md',
      '- **FLOW-1** `is_enabled` and `is_paused`, as `/flows/no_name` and `a.no_name` say.',
    );
    expect(listMissingFiles(root())).toEqual(['docs/contract/flows.md names is_paused, which no source has']);
  });

  it('may be missing in decision records, and in guides if they belong to the reader', () => {
    write('docs/develop/adr/0001-then.md', '`libs/then.ts`');
    write('docs/use/search.md', '`src/index.ts`');
    expect(listMissingFiles(root())).toEqual([]);
  });
});
