import { Type } from '@sinclair/typebox';
import { createTurns } from '@steward/async';
import { AGENT_KINDS } from '@steward/contracts';
import { createProviderPools, readOrigin } from '@steward/egress';
import { defineForeignRoute, readBearerOrApiKey, type Route, type Surface } from '@steward/http';
import { createModelCalls, CALL_PATHS, type CallPath } from '@steward/model-calls';
import type { HintPublisher } from '@steward/database';
import type { Component, Logger, Metrics } from '@steward/process';
import type { ModelFamily } from '@steward/models';
import {
  toSessionWriteOptions,
  type SessionWriteSettings,
  type ContentRenderer,
  createSessionFinder,
  type NoteHandOver,
} from '@steward/sessions';
import { type AgentActivity, createFindAgentKind, type OpenRequests } from '@steward/api';
import { ANSWER_ERROR } from './answer-errors.ts';
import { callAtEnd } from './answers/call-at-end.ts';
import { createUsageRefusals } from './answers/usage-refusals.ts';
import { createBackgroundResponses } from './background/background-responses.ts';
import { createResponseLooks } from './background/look-at-responses.ts';
import { createResponseRoutes } from './background/response-routes.ts';
import type { ResponseDeps } from './background/pass-response.ts';
import { bookHalted } from './booking/book-halted.ts';
import { createCallLedger } from './booking/call-ledger.ts';
import { createModelMetrics } from './booking/model-metrics.ts';
import { createBodyLimiter } from './body-limiter.ts';
import { createCaptureQueue } from './capture/capture-queue.ts';
import { createFindChain, type FindChainDeps } from './find-chain.ts';
import { createTakeTurnNotes } from './notes/turn-notes.ts';
import { requireCaller } from './require-caller.ts';
import { listCallableModels, readCallableModel } from './list-models.ts';
import { MAX_BODY_BYTES, passCall, type PassDeps } from './pass-call.ts';
import { createFindProviderUrl } from './provider-urls.ts';

type CallRouteDeps = PassDeps &
  ResponseDeps & { readonly agentActivity: AgentActivity } & {
    readonly openRequests: Pick<OpenRequests, 'modelCalls'>;
  };

export type ModelGatewayDeps = FindChainDeps & {
  readonly agentActivity: AgentActivity;
  readonly notes: NoteHandOver;
  readonly broker: HintPublisher;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly contentRenderer: ContentRenderer;
  readonly openRequests: CallRouteDeps['openRequests'];
  readonly settings: SessionWriteSettings & {
    readonly modelInsecureOrigins: readonly string[];
    readonly modelReserveOutputTokens: number;
    readonly modelReserveInputTokens: number;
  };
};

/** Maximum number of database connections for storing calls after their responses. */
const MAX_STORING = 2;
/** Time limits for the start of a response, and between its chunks (GW-7). */
const TIMEOUTS = { headersTimeout: 600_000, bodyTimeout: 300_000 };
/**
 * Time for which an idle connection is kept, so that the next step of an agent needs no TLS handshake. The time is
 * shorter than the minute after which load balancers and NAT gateways drop an idle connection. If the provider states a
 * time (`Keep-Alive`), this time is used instead, up to four minutes. A call that is sent while its provider closes the
 * connection is repeated, and recorded, as after every lost connection (GW-8).
 */
const IDLE_CONNECTIONS = { keepAliveTimeout: 55_000, keepAliveMaxTimeout: 240_000 };

/** Opens the model gateway for agents: one surface per API, in the format of its provider. */
export function openModelGateway(given: ModelGatewayDeps): {
  readonly surfaces: readonly Surface[];
  readonly components: readonly Component[];
} {
  const { deps, components } = wire(given);
  const open = (family: ModelFamily): Surface => ({
    prefix: `/${family}/v1`,
    isForeign: true,
    routes: [
      ...CALL_PATHS[family].map((path) => createCallRoute(deps, family, path)),
      ...(family === 'openai' ? createResponseRoutes(deps) : []),
      createListRoute(given, family),
      createReadRoute(given, family),
    ],
    readCredential: readBearerOrApiKey,
    answerError: ANSWER_ERROR[family],
    auditSource: 'console',
  });
  return { surfaces: [open('openai'), open('anthropic')], components };
}

function wire(given: ModelGatewayDeps): { readonly deps: CallRouteDeps; readonly components: readonly Component[] } {
  const { settings, logger } = given;
  const options = toSessionWriteOptions(settings);
  const pools = createProviderPools({
    insecureOrigins: settings.modelInsecureOrigins.map(readOrigin),
    agent: { ...TIMEOUTS, ...IDLE_CONNECTIONS },
  });
  const turns = createTurns(MAX_STORING);
  const calls = createModelCalls({ ...given, options });
  const captures = createCaptureQueue({ ...given, options, turns });
  const findSession = createSessionFinder({ ...given, options, turns });
  const ledger = createCallLedger({ calls, captures, findSession, logger, observe: createModelMetrics(given.metrics) });
  const providers: Component = {
    name: 'model providers',
    async stop() {
      await ledger.drain();
      await pools.close();
    },
  };
  const { captureContent } = options;
  const room = createBodyLimiter();
  const background = createBackgroundResponses({ ...given, calls, ledger, findSession, captureContent });
  const looks = createResponseLooks({ ...given, pools, background });
  const deps = {
    ...given,
    findChain: createFindChain(given),
    findProviderUrl: createFindProviderUrl(),
    room,
    usageRefusals: createUsageRefusals(),
    takeTurnNotes: createTakeTurnNotes({ ...given, findSession }),
    findAgentKind: createFindAgentKind(given.db),
    pools,
    calls,
    ledger,
    captureContent,
    background,
    looks,
    reserves: { inputTokens: settings.modelReserveInputTokens, outputTokens: settings.modelReserveOutputTokens },
  };
  return { deps, components: [calls.component, providers, looks.component] };
}

function createCallRoute(deps: CallRouteDeps, family: ModelFamily, path: CallPath): Route {
  const { openRequests } = deps;
  return defineForeignRoute({
    method: 'post',
    path: `/${family}/v1${path}`,
    openTo: AGENT_KINDS,
    isAct: true,
    reusesCaller: true,
    onHalted: (principal) => bookHalted(deps, path, principal),
    summary: 'Forward a model call to the provider of the model.',
    bodyKind: 'json-later',
    bodyLimitBytes: MAX_BODY_BYTES,
    responses: {},
    handler: async ({ principal, headers, search, readBody, traceparent, signal }) => {
      requireCaller(principal);
      const leave = openRequests.modelCalls.enter(principal);
      try {
        const answer = await passCall(deps, {
          family,
          path,
          principal,
          headers,
          search,
          readBody,
          traceparent,
          signal,
        });
        deps.agentActivity.note(principal, 'model_call');
        return callAtEnd(answer, leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
  });
}

function createListRoute({ db }: Pick<ModelGatewayDeps, 'db'>, family: ModelFamily): Route {
  return defineForeignRoute({
    method: 'get',
    path: `/${family}/v1/models`,
    openTo: AGENT_KINDS,
    summary: 'List the models that can be called.',
    responses: {},
    handler: async ({ principal }) => {
      requireCaller(principal);
      return { status: 200, body: await listCallableModels(db, principal, family) };
    },
  });
}

function createReadRoute({ db }: Pick<ModelGatewayDeps, 'db'>, family: ModelFamily): Route {
  return defineForeignRoute({
    method: 'get',
    path: `/${family}/v1/models/{model}`,
    openTo: AGENT_KINDS,
    summary: 'Read a model that can be called, by its alias.',
    params: Type.Object({ model: Type.String() }),
    responses: {},
    handler: async ({ principal, params }) => {
      requireCaller(principal);
      return { status: 200, body: await readCallableModel(db, principal, { family, alias: params.model }) };
    },
  });
}
