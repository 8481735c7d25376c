import { installDevelopmentPackages } from '@steward/local-servers';
import { WORKSPACE_ROOT } from '../workspace.ts';

/**
 * `npm run set-up`: installs what only developers need (ADR 0010). The commands that need the packages run it first, so
 * that `npm ci`, which leaves those packages out, is enough for them too.
 */
installDevelopmentPackages(WORKSPACE_ROOT);
