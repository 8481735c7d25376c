import { pickNamed } from '../src/options/pick-named.ts';
import { installPackages } from '../src/packages/install-packages.ts';
import { BENCHES } from './benches.ts';

/** `npm run bench -- NAME [options]`. */
const { picked: run, args } = pickNamed('npm run bench', BENCHES);
await run(args, installPackages);
