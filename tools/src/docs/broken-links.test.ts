import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { useFolder } from '@steward/testing';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { listBrokenLinks, listMissingPages } from './broken-links.ts';

describe('links and paths of documents', () => {
  const root = useFolder();
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root(), file)), { recursive: true });
    writeFileSync(join(root(), file), text);
  };

  it('point to existing targets in the repository', () => {
    expect([...listBrokenLinks(WORKSPACE_ROOT), ...listMissingPages(WORKSPACE_ROOT)]).toEqual([]);
  });

  it('are reported if the file is missing; web addresses and code are ignored', () => {
    write('docs/a.md', '[b](b.md) [c](../c.md) [site](https://example.com/x) [gone](gone.md)\n```md\n[x](x.md)\n```\n');
    write('docs/b.md', '');
    write('c.md', '');
    write('apps/one/README.md', '[a](../../docs/a.md) [folder](../../docs) [b](docs/b.md)');
    expect(listBrokenLinks(root())).toEqual([
      'apps/one/README.md links to docs/b.md, which is not there',
      'docs/a.md links to gone.md, which is not there',
    ]);
  });

  it('are reported if the heading is missing', () => {
    write('docs/c.md', '# `steward run` & [more](b.md)\n\n## Twice\n\n## Twice\n\n[here](#twice-1) [there](#twice-2)');
    write('docs/d.md', '[one](c.md#steward-run--more) [two](c.md#twice) [none](c.md#thrice)');
    expect(listBrokenLinks(root())).toEqual(
      expect.arrayContaining([
        'docs/c.md links to #twice-2: the page has no such heading',
        'docs/d.md links to c.md#thrice: the page has no such heading',
      ]),
    );
    expect(listBrokenLinks(root())).not.toContainEqual(expect.stringMatching(/#twice[:,]|-more|twice-1/));
  });

  it('are reported if they name a missing path below docs, in code and pages', () => {
    write('docs/a.md', '');
    write('libs/x/src/x.ts', '// docs/a.md, docs/gone.md and https://example.com/docs/other.md; see /docs/api');
    write('libs/x/src/x.test.ts', '// docs/gone.md');
    write('docs/develop/adr/0001-first.md', 'It was docs/then.md.');
    write('docs/e.md', 'The decision is docs/develop/adr/0001.');
    expect(listMissingPages(root())).toEqual(['libs/x/src/x.ts names docs/gone.md, which is not there']);
  });
});
