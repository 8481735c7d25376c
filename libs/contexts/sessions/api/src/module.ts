import { tagRoutes } from '@steward/http';
import { toSessionWriteOptions, type SessionWriteSettings } from '@steward/sessions';
import { createIdleSessionLoop, type IdleSessionDeps } from './background/idle-session-loop.ts';
import { onReplica, type Module, type ReplicaDeps } from '@steward/api';
import type { SessionsDeps } from './sessions-deps.ts';
import { createCreateInteractionRoute, createCreateToolCallRoute } from './create-entry.ts';
import { createDeleteRuntimeSessionRoute } from './delete-session.ts';
import { createReadDeletionRoute } from './deletions/read-deletion.ts';
import { createRequestDeletionRoute } from './deletions/request-deletion.ts';
import { createEndRuntimeSessionRoute } from './end-session.ts';
import { createExportSessionRoute, type ExportDeps } from './export-session.ts';
import { createImportSessionsRoute, type ImportDeps } from './import/import-sessions.ts';
import { createImportTranscriptRoute } from './import-transcript.ts';
import { createListRuntimeSessionsRoute } from './list-sessions.ts';
import { createOpenRuntimeSessionRoute } from './open-session.ts';
import { createCancelOperatorNoteRoute } from './operator-notes/cancel-operator-note.ts';
import { createListOperatorNotesRoute } from './operator-notes/list-operator-notes.ts';
import { createSendOperatorNoteRoute } from './operator-notes/send-operator-note.ts';
import { createReadTimelineRoute } from './read-timeline.ts';
import { createReadRuntimeSessionRoute } from './read-session.ts';
import { createTitleAsker, type TitleDeps } from './titles/ask-for-titles.ts';
import { createReadTitleSettingRoute, createSaveTitleSettingRoute } from './titles/title-setting.ts';
import { createUpdateRuntimeSessionRoute } from './update-session.ts';

type GivenDeps = Omit<SessionsDeps, 'options'> &
  Pick<ImportDeps, 'largeBodies' | 'openRequests'> &
  Pick<ExportDeps, 'openRequests' | 'readAudits'> &
  IdleSessionDeps &
  ReplicaDeps &
  Omit<TitleDeps, 'options'> & { readonly settings: SessionWriteSettings };

/**
 * Creates the routes and background tasks for sessions, their content and operator notes
 * (docs/contract/runtime-sessions.md).
 */
export function createSessionsModule(given: GivenDeps): Module {
  const options = toSessionWriteOptions(given.settings, given.contentObjects);
  const titleAsker = createTitleAsker({ ...given, options });
  const deps = { ...given, options, titleAsker };
  return {
    routes: [
      ...tagRoutes('runtime sessions', [
        createOpenRuntimeSessionRoute(deps),
        onReplica(createListRuntimeSessionsRoute, deps),
        createReadTitleSettingRoute(deps),
        createSaveTitleSettingRoute(deps),
        onReplica(createReadRuntimeSessionRoute, deps),
        createUpdateRuntimeSessionRoute(deps),
        createDeleteRuntimeSessionRoute(deps),
        createRequestDeletionRoute(deps),
        createReadDeletionRoute(deps),
        createEndRuntimeSessionRoute(deps),
        createCreateInteractionRoute(deps),
        createCreateToolCallRoute(deps),
        createImportTranscriptRoute(deps),
        createImportSessionsRoute(deps),
        onReplica(createReadTimelineRoute, deps),
        createExportSessionRoute(deps),
      ]),
      ...tagRoutes('operator notes', [
        createSendOperatorNoteRoute(deps),
        createListOperatorNotesRoute(deps),
        createCancelOperatorNoteRoute(deps),
      ]),
    ],
    components: [createIdleSessionLoop(given), titleAsker.component],
  };
}
