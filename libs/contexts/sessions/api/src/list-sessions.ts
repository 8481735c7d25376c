import { Type } from '@sinclair/typebox';
import { AGENT_KINDS } from '@steward/contracts';
import { transact, type Committer } from '@steward/database';
import { cleanLabel } from '@steward/search';
import { defineRoute, encodeCursor, pageOf, PageQuery, readTimePage, toPage, type Route } from '@steward/http';
import type { Logger } from '@steward/process';
import {
  builtInTitleGenerator,
  findUnindexedTitles,
  generateTitles,
  indexStoredTitles,
  listRuntimeSessions,
  storeSessionTitles,
  type RuntimeSession,
  type TitleGenerator,
} from '@steward/sessions';
import { readAgentFilter, readTimeBounds, type ReadingDeps } from '@steward/api';
import type { SessionsDeps } from './sessions-deps.ts';
import type { TitleAsker } from './titles/ask-for-titles.ts';
import { renderRuntimeSession, RuntimeSessionAnswer, SESSION_FILTERS } from './runtime-sessions-schemas.ts';

type Deps = Pick<SessionsDeps, 'db' | 'broker' | 'options' | 'settings'> &
  Pick<ReadingDeps, 'primaryDb'> & {
    readonly titleAsker?: Pick<TitleAsker, 'ask'>;
  };

const Query = Type.Object({ ...PageQuery, ...SESSION_FILTERS }, { additionalProperties: false });

/**
 * GET /api/v1/runtime-sessions: lists sessions, newest start first. When a session without a title is listed for the
 * first time, a title is generated and stored.
 */
export function createListRuntimeSessionsRoute(deps: Deps, titles: TitleGenerator = builtInTitleGenerator): Route {
  return defineRoute({
    operationId: 'listSessions',
    method: 'get',
    path: '/api/v1/runtime-sessions',
    openTo: AGENT_KINDS,
    permissions: ['view_runtime_sessions'],
    summary: 'List sessions, newest first.',
    query: Query,
    responses: {
      200: { description: 'A page of sessions.', name: 'RuntimeSession', schema: pageOf(RuntimeSessionAnswer) },
    },
    handler: async ({ query, principal, logger, traceparent }) => {
      const { accountId } = principal;
      const { limit, after } = readTimePage(query);
      const rows = await listRuntimeSessions(deps.db, {
        accountId,
        active: query.active,
        runtimePrincipalIds: await readAgentFilter(deps.db, accountId, query.runtime_principal_id),
        flowId: query.flow_id,
        label: query.label === undefined ? undefined : cleanLabel(query.label),
        ...readTimeBounds(query),
        after: after === undefined ? undefined : { startedAt: after.at, id: after.id },
        limit: limit + 1,
      });
      const generated = await titleSessions(
        { deps: { ...deps, db: deps.primaryDb ?? deps.db, traceparent }, titles, logger },
        accountId,
        rows.slice(0, limit),
      );
      // Titles are requested from the model in the background, so that a list request does not wait for the model.
      deps.titleAsker?.ask(accountId, rows.slice(0, limit));
      const body = toPage(rows, limit, {
        item: (session) =>
          renderRuntimeSession(
            { ...session, title: generated.get(session.id) ?? session.title },
            principal,
            deps.settings,
          ),
        cursor: (session) => encodeCursor(session.startedAt, session.id),
      });
      return { status: 200, body };
    },
  });
}

interface TitleWork {
  readonly deps: Deps & Pick<Committer, 'traceparent'>;
  readonly titles: TitleGenerator;
  readonly logger: Logger;
}

/**
 * Generates and stores the missing and outdated titles of a page, and indexes titles that were stored while indexing
 * was off (CORP-23). If this fails, the page shows the stored titles, and the list request still succeeds.
 */
async function titleSessions(
  { deps, titles, logger }: TitleWork,
  accountId: string,
  sessions: readonly RuntimeSession[],
): Promise<ReadonlyMap<string, string>> {
  try {
    const generated = await generateTitles(titles, sessions);
    const unindexed = deps.options.indexEnabled ? await findUnindexedTitles(deps.db, accountId, sessions) : [];
    if (generated.length === 0 && unindexed.length === 0) return new Map();
    await transact(deps, async (trx, hints) => {
      await storeSessionTitles(trx, hints, { accountId, titles: generated }, deps.options);
      await indexStoredTitles(trx, hints, unindexed);
    });
    return new Map(generated.map((entry) => [entry.sessionId, entry.title]));
  } catch (error) {
    logger.warn('session.title_failed', { account_id: accountId, error });
    return new Map();
  }
}
