import { bundleApps, DIST } from './bundle-apps.ts';

/** `npm run build`: the bundles that the container images and the local stack run. */
const startedAt = performance.now();
await bundleApps();
console.log(`bundled the apps into ${DIST} in ${Math.round(performance.now() - startedAt)} ms`);
