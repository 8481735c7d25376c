import { installDevelopmentPackages } from '@steward/local-servers';
import { WORKSPACE_ROOT } from '../workspace.ts';

/**
 * Runs `npm run set-up`: installs the packages that only developers need (ADR 0010). The commands that need these
 * packages run it first, so that `npm ci`, which leaves the packages out, is sufficient for these commands too.
 */
installDevelopmentPackages(WORKSPACE_ROOT);
