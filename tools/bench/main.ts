import { pickNamed } from '../src/options/pick-named.ts';
import { installPackages } from '../src/packages/install-packages.ts';
import { BENCHES } from './benches.ts';

/** Runs `npm run bench -- NAME [options]`. */
const { picked: bench, args } = pickNamed('npm run bench', BENCHES);
const options = await bench.readOptions(args);
for (const folder of bench.installs) installPackages(folder);
await bench.run(options);
