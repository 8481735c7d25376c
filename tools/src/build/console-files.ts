import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** Beside the gateway's bundle, where it looks for it. */
export const CONSOLE_BUILD = resolve(WORKSPACE_ROOT, 'dist/apps/api-gateway/console');
