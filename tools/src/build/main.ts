import { buildConsole } from './build-console.ts';
import { bundle, DIST } from './bundle-apps.ts';
import { APPS } from '../workspace.ts';

/**
 * Runs `npm run build`: builds the bundles that the container images and the local stack run, and the web console that
 * the gateway serves.
 */
const startedAt = performance.now();
await bundle([...APPS, 'migrate']);
await buildConsole();
console.log(
  `built the apps, the console and the migrate tool into ${DIST} in ${Math.round(performance.now() - startedAt)} ms`,
);
