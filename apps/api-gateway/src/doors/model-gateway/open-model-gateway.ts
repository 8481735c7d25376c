import { AppError, type Principal } from '@steward/contracts';
import { createProviderPools, readOrigin } from '@steward/egress';
import { defineRoute, readBearerOrApiKey, type Door, type Route } from '@steward/http';
import type { Component } from '@steward/process';
import type { ModelFamily } from '@steward/slice-models';
import type { GatewaySettings } from '../../config.ts';
import { CALL_PATHS, type CallPath } from './call-path.ts';
import { answerAnthropicError, answerOpenAiError } from './answer-errors.ts';
import { listCallableModels } from './list-models.ts';
import { passCall, type PassDeps } from './pass-call.ts';

export type ModelGatewayDeps = Omit<PassDeps, 'pools'> & {
  readonly settings: Pick<GatewaySettings, 'modelInsecureOrigins'>;
};

const MAX_BODY_BYTES = 32 * 1024 * 1024;
const FIRST_BYTE_MS = 600_000;
const IDLE_MS = 300_000;

/** The doors by which agents reach models: one for each API, which speaks as its provider does. */
export function openModelGateway({ settings, ...deps }: ModelGatewayDeps): {
  readonly doors: readonly Door[];
  readonly components: readonly Component[];
} {
  const pools = createProviderPools({
    insecureOrigins: settings.modelInsecureOrigins.map(readOrigin),
    agent: { headersTimeout: FIRST_BYTE_MS, bodyTimeout: IDLE_MS },
  });
  const calls: Component = { name: 'model-calls', start: () => Promise.resolve(), stop: () => pools.close() };
  const open = (family: ModelFamily): Door => ({
    prefix: `/${family}/v1`,
    routes: [
      ...CALL_PATHS[family].map((path) => createCallRoute({ ...deps, pools }, family, path)),
      createListRoute(deps, family),
    ],
    readCredential: readBearerOrApiKey,
    answerError: family === 'openai' ? answerOpenAiError : answerAnthropicError,
    auditSource: 'console',
  });
  return { doors: [open('openai'), open('anthropic')], components: [calls] };
}

function createCallRoute(deps: PassDeps, family: ModelFamily, path: CallPath): Route {
  return defineRoute({
    method: 'post',
    path: `/${family}/v1${path}`,
    auth: 'bearer',
    tag: 'Model gateway',
    summary: 'Pass a call on to the provider of its model.',
    bodyKind: 'raw',
    bodyLimitBytes: MAX_BODY_BYTES,
    responses: {},
    handler: ({ principal, headers, rawBody: body, signal }) => {
      requireCaller(principal);
      return passCall(deps, { family, path, principal, headers, body, signal });
    },
  });
}

function createListRoute({ db }: Pick<PassDeps, 'db'>, family: ModelFamily): Route {
  return defineRoute({
    method: 'get',
    path: `/${family}/v1/models`,
    auth: 'bearer',
    tag: 'Model gateway',
    summary: 'List the models that may be called here.',
    responses: {},
    handler: async ({ principal }) => {
      requireCaller(principal);
      return { status: 200, body: await listCallableModels(db, principal.accountId, family) };
    },
  });
}

/** Whoever sees models calls them, and so does the agent of a running execution, whatever else it may not. */
function requireCaller({ permissions, runtimeSessionId }: Principal): void {
  if (permissions.has('view_ai_models') || runtimeSessionId !== undefined) return;
  throw new AppError('permission_denied', { detail: { permission: 'view_ai_models' } });
}
