import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { installPackages } from '../packages/install-packages.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';

/**
 * Runs `npm run check:exports [-- knip arguments]`: reports files, exports and packages that are not used, and import
 * cycles.
 */
const FOLDER = 'tools/knip';

installPackages(FOLDER);
const knip = resolve(WORKSPACE_ROOT, FOLDER, 'node_modules/knip/bin/knip.js');
const args = [knip, '--no-progress', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { cwd: WORKSPACE_ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
