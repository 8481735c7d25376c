import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** Folder in which the gateway looks for the console, next to its bundle. */
export const CONSOLE_BUILD = resolve(WORKSPACE_ROOT, 'dist/apps/api-gateway/console');
