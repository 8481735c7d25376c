import type { Route } from '@steward/http';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { createCreateInteractionRoute } from './create-interaction.ts';
import { createCreateToolCallRoute } from './create-tool-call.ts';
import { createEndRuntimeSessionRoute } from './end.ts';
import { createImportTranscriptRoute } from './import-transcript.ts';
import { createListRuntimeSessionsRoute } from './list.ts';
import { createOpenRuntimeSessionRoute } from './open.ts';
import { createReadTimelineRoute } from './read-timeline.ts';
import { createReadRuntimeSessionRoute } from './read.ts';
import { createUpdateRuntimeSessionRoute } from './update.ts';

/** Sessions and their content (decisions.md section 3). */
export function createRuntimeSessionsRoutes(deps: GatewayDeps): Route[] {
  return [
    createOpenRuntimeSessionRoute(deps),
    createListRuntimeSessionsRoute(deps),
    createReadRuntimeSessionRoute(deps),
    createUpdateRuntimeSessionRoute(deps),
    createEndRuntimeSessionRoute(deps),
    createCreateInteractionRoute(deps),
    createCreateToolCallRoute(deps),
    createImportTranscriptRoute(deps),
    createReadTimelineRoute(deps),
  ];
}
