import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** The gateway looks for this folder next to its bundle. */
export const CONSOLE_BUILD = resolve(WORKSPACE_ROOT, 'dist/apps/api-gateway/console');
