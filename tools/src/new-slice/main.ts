import { parseArgs } from 'node:util';
import { describeError } from '../describe-error.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { writeSlice } from './write-slice.ts';

const HELP = `npm run new-slice -- NAME --tier N

Writes an empty context: its project and its schema with a first migration, with entries in the list of migrations, the
test of grants, the TypeScript references, the build of the images and docs/develop/architecture.

  NAME      lower-case letters, digits and dashes, as in tool-servers; its schema name has underscores
  --tier N  0, 1 or 2: it may import contexts of lower tiers (docs/develop/adr/0026)

Afterwards run npm install and describe the context in src/index.ts. An app that uses it adds its migrations to those that it
checks at start. Until a store uses the tables of src/schema.ts, npm run check:exports reports them.
The place of other code is described in docs/develop/architecture/where-does-x-go.md.
`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { tier: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  });
  const [name] = positionals;
  if (values.help) {
    console.log(HELP);
  } else if (name === undefined || positionals.length > 1 || values.tier === undefined) {
    throw new Error(`one name and its tier are required\n\n${HELP}`);
  } else {
    const files = await writeSlice(WORKSPACE_ROOT, { name, tier: Number(values.tier) });
    console.log(`${files.map((file) => `wrote ${file}`).join('\n')}\nnow: npm install`);
  }
} catch (error) {
  console.error(`new-slice: ${describeError(error)}`);
  process.exitCode = 1;
}
