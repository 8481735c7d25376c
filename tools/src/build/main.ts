import { bundle, DIST } from './bundle-apps.ts';
import { APPS } from '../workspace.ts';

/** `npm run build`: the bundles that the container images and the local stack run. */
const startedAt = performance.now();
await bundle([...APPS, 'migrate']);
console.log(`bundled the apps and the migrate tool into ${DIST} in ${Math.round(performance.now() - startedAt)} ms`);
