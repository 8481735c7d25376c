#!/usr/bin/env node
import { existsSync } from 'node:fs';

/**
 * Inside the repository the sources are run directly (by type stripping), so that an outdated build is never run; the
 * published package contains only the build.
 */
const source = new URL('../src/main.ts', import.meta.url);
const build = new URL('../dist/main.js', import.meta.url);
const runsSource = existsSync(source) && Boolean(process.features.typescript);
if (runsSource || existsSync(build)) await import(runsSource ? source.href : build.href);
else {
  // Exit code 1 would mean that a flow failed.
  process.exitCode = 2;
  process.stderr.write(
    `error: Node ${process.versions.node} cannot run the sources of this repository. Run "npx steward", which includes its own Node, or build it once: npm run build --workspace @steward/cli\n`,
  );
}
