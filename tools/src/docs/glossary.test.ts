import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** Common technical terms: kinds of code, protocols and programs. They have no meaning specific to the product. */
const PLAIN = new Set(
  `access ai answer answers api api-gateway apps apt async auth background batches bombs browser build builtin by-hand callers calls choices chromium
   cli compile connections content-rendering
   contexts contracts credential-corpora crypto data database docker document documents domain downloads editor egress embedding-client engine errors export fair-thread
   fixtures folder formats functions gateway-schema health history hosts http import input integration keyboard keys kinds kubernetes libs limits
   lifecycle links local-servers logging logins logs lookups mail mcp mcp-client messages middleware migrations money native nats network oauth objects
   openapi opentelemetry operations otlp passwords pgbouncer platform postgres postgres-tools process processes prometheus queries rate requests routes rules run s3 saved sdk service session-search
   session-formats settings sign-in smtp servers shell spans src steps storage store streams surfaces tasks telemetry testing text theme ui unit use-cases
   warm-up webhook-verify welcome words workspace`.split(/\s+/),
);
const SKIPPED = /^(?:node_modules|out-tsc|dist|__generated__|tmp|\..*)$/;

const glossary = readFileSync(resolve(WORKSPACE_ROOT, 'docs/glossary.md'), 'utf8');
const terms = new Set(
  [...glossary.matchAll(/^\| \*\*(.+?)\*\* +\|/gm)].flatMap(([, names = '']) => names.split(', ').map(toWord)),
);

/** Converts a term and a folder name to the same form: `Tool servers`, `tool-servers`, `tool server`. */
function toWord(name: string): string {
  const plain = name.toLowerCase().replaceAll('-', ' ');
  return plain.replace(/ies$/, 'y').replace(/(?<=ss|x|ch)es$|(?<!s)s$/, '');
}

function listFolders(folder: string): string[] {
  const names = readdirSync(resolve(WORKSPACE_ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !SKIPPED.test(entry.name))
    .map(({ name }) => name);
  return [...names, ...names.flatMap((name) => listFolders(`${folder}/${name}`))];
}

describe('the glossary', () => {
  it('contains every folder name in apps and libs that is a domain term', () => {
    const folders = [...new Set(['apps', 'libs'].flatMap(listFolders))];
    expect(folders.filter((name) => !PLAIN.has(name) && !terms.has(toWord(name))).sort()).toEqual([]);
  });

  it('contains each term once, in one section', () => {
    const twice = glossary.split(/^## /m).flatMap((section) => {
      const names = [...section.matchAll(/^\| \*\*(.+?)\*\* +\|/gm)].map(([, name = '']) => name);
      return names.filter((name, index) => names.indexOf(name) !== index);
    });
    expect(twice).toEqual([]);
  });
});
