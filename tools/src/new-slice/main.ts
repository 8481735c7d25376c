import { parseArgs } from 'node:util';
import { describeError } from '../describe-error.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { writeSlice } from './write-slice.ts';

const HELP = `npm run new-slice -- NAME --tier N

Writes an empty slice: project, schema with its first migration, its place among the migrations, in the
test of grants, in the TypeScript references, in the build of the images and in docs/develop/architecture.

  NAME      small letters, digits and dashes, as in tool-servers; its schema has underscores
  --tier N  0, 1 or 2: it may import slices of lower tiers (docs/develop/adr/0026)

After it: npm install, then say in src/index.ts what it is for. An app that uses it names its migrations among those it
checks at start. Until a first store uses them, npm run check:exports names the tables of src/schema.ts.
docs/develop/architecture/where-does-x-go.md says where everything else goes.
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
    throw new Error(`one name and its tier are needed\n\n${HELP}`);
  } else {
    const files = await writeSlice(WORKSPACE_ROOT, { name, tier: Number(values.tier) });
    console.log(`${files.map((file) => `wrote ${file}`).join('\n')}\nnow: npm install`);
  }
} catch (error) {
  console.error(`new-slice: ${describeError(error)}`);
  process.exitCode = 1;
}
