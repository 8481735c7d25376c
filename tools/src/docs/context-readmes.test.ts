import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

const read = (file: string): string => readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8');
const contexts = globSync('libs/contexts/*/package.json', { cwd: WORKSPACE_ROOT }).map((file) =>
  basename(dirname(file)),
);

/** Lists the tables of the current schema, without the partitions of partitioned tables. */
function listTables(schema: string): string[] {
  const created = read(`docs/reference/schema/${schema}.sql`).matchAll(/^create (?:unlogged )?table \w+\.(\w+)/gim);
  return [...created].map(([, name = '']) => name).filter((name) => !/_p\d+$|_default$|^schema_migration$/.test(name));
}

/** Lists the tables that the README of a context names. */
function listNamed(context: string): { readonly schema: string; readonly tables: readonly string[] } {
  const [, schema = '', list = ''] = /^Tables \(schema `(\w+)`.*?\): (.*)$/m.exec(read(pageOf(context))) ?? [];
  return { schema, tables: [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name) };
}

const pageOf = (context: string): string => `libs/contexts/${context}/README.md`;

describe('the README of a context', () => {
  it('names each table of its schema; no table is named by two contexts', () => {
    const named = contexts.map(listNamed);
    for (const schema of new Set(named.map((one) => one.schema))) {
      const tables = named.filter((one) => one.schema === schema).flatMap((one) => one.tables);
      expect([schema, ...tables.sort()]).toEqual([schema, ...listTables(schema).sort()]);
    }
  });

  it.each(contexts)('links to existing targets: %s', (context) => {
    const page = pageOf(context);
    const links = [...read(page).matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(resolve(WORKSPACE_ROOT, dirname(page), link)))).toEqual([]);
    const folders = [...read(page).matchAll(/`(src\/[\w-]+|apps\/[\w/-]+)`/g)].map(([, folder = '']) => folder);
    const inContext = folders.map((folder) => (folder.startsWith('src/') ? `${dirname(page)}/${folder}` : folder));
    expect(inContext.filter((folder) => !existsSync(resolve(WORKSPACE_ROOT, folder)))).toEqual([]);
  });
});
