import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly nx?: { readonly tags?: readonly string[] };
}

const read = (file: string): string => readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8');
const manifests = globSync('{apps/*,libs/*,libs/*/*}/package.json', { cwd: WORKSPACE_ROOT }).map(
  (file) => [basename(dirname(file)), JSON.parse(read(file)) as Manifest] as const,
);
const slices = manifests.filter(([, { nx }]) => nx?.tags?.some((tag) => tag.startsWith('tier:')));
const rows = new Map(
  [
    ...read('docs/develop/architecture/README.md').matchAll(
      /^\| \[`([\w-]+)`\]\([^)]+\) +\| (\d) +\|[^|]*\| ([\w-]+) +\| (.*?) +\|$/gm,
    ),
  ].map(([, slice = '', tier = '', owner = '', callers = '']) => [slice, { tier, owner, callers }] as const),
);

describe('the table of contexts', () => {
  it('contains every context with its tier', () => {
    const tiers = slices.map(([slice, { nx }]) => [slice, /tier:(\d)/.exec(nx?.tags?.join(' ') ?? '')?.[1]]);
    expect(Object.fromEntries([...rows].map(([slice, { tier }]) => [slice, tier]))).toEqual(Object.fromEntries(tiers));
  });

  it('names the callers of each context that is called by others than its owner', () => {
    const unsaid = slices.filter(([slice, { name }]) => {
      const row = rows.get(slice);
      const callers = manifests
        .filter(([folder, { dependencies = {} }]) => name in dependencies && folder !== 'migrations')
        .map(([folder]) => folder);
      return row?.callers === 'nobody yet' && callers.some((caller) => caller !== row.owner);
    });
    expect(unsaid.map(([slice]) => slice)).toEqual([]);
  });
});
