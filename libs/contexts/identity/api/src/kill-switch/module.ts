import { tagRoutes } from '@steward/http';
import type { Module } from '@steward/api';
import { createReadKillSwitchRoute } from './read-kill-switch.ts';
import { createSaveKillSwitchRoute, type KillSwitchRouteDeps } from './save-kill-switch.ts';

/** Creates the module for the kill switch of an account (docs/contract/kill-switch.md). */
export function createKillSwitchModule(deps: KillSwitchRouteDeps): Module {
  return {
    routes: tagRoutes('kill switch', [createReadKillSwitchRoute(deps), createSaveKillSwitchRoute(deps)]),
    components: [],
  };
}
