import type { Request, Response } from 'express';
import { AppError, toStorableJson, type Logger } from '@steward/runtime';
import type { Route, RouteContext, RouteResult } from './define-route.ts';
import { toClientError } from './error-answer.ts';
import type { Authenticate, Principal } from './principal.ts';
import { discardRest, parseBody, readRawBody, refuseDeclaredSize } from './read-body.ts';
import { compileBodyValidation, compileTextValidation, type Validate } from './validation.ts';

/** What one request tells its log line; filled while it is handled. */
export interface RequestFacts {
  readonly requestId: string;
  readonly logger: Logger;
  principal?: Principal;
  error?: AppError;
}

export type RequestHandler = (request: Request, response: Response, facts: RequestFacts) => Promise<void>;

const EMPTY = Buffer.alloc(0);

/**
 * Binds one route. Order of checks: credential, permission, size, media type, JSON, path, query, body.
 * A path parameter of the wrong form is an id that does not exist: 404, as for a foreign one.
 */
export function bindRoute(route: Route, authenticate: Authenticate): RequestHandler {
  const validateParams = route.params === undefined ? undefined : compileTextValidation(route.params);
  const validateQuery = route.query === undefined ? undefined : compileTextValidation(route.query);
  const validateBody = route.body === undefined ? undefined : compileBodyValidation(route.body);
  const readsLater = route.bodyKind === 'json-later';
  const readsBody = route.body !== undefined && !readsLater;

  async function readRequest(request: Request, principal: Principal | undefined, seen: Seen) {
    if (principal !== undefined) requirePermissions(route, principal);
    const params = validateParams === undefined ? {} : readParams(validateParams, request);
    if (readsLater) refuseDeclaredSize(route, request);
    const rawBody = readsBody ? await readRawBody(route, request) : EMPTY;
    // What no text column can hold (NUL, lone surrogates) is replaced here once, for every route.
    const query = validateQuery === undefined ? {} : validateQuery(toStorableJson({ ...request.query }));
    seen.body = readsBody ? toStorableJson(parseBody(route, request, rawBody)) : undefined;
    const body = validateBody === undefined ? seen.body : validateBody(seen.body);
    return { params, query, body, rawBody };
  }

  return async (request, response, facts) => {
    const { requestId } = facts;
    const principal = route.auth === 'bearer' ? await requirePrincipal(request, authenticate) : undefined;
    if (principal !== undefined) facts.principal = principal;
    const seen: Seen = { body: undefined };
    const parts = await readRequest(request, principal, seen).catch(async (error: unknown) => {
      if (principal !== undefined) {
        await route.onRefused?.({ principal, error: toClientError(error), requestId, body: seen.body });
      }
      throw error;
    });
    const context = {
      ...parts,
      readBody: () => readRawBody(route, request),
      headers: request.headers,
      principal,
      requestId,
      remoteAddress: request.ip ?? '',
      signal: followClient(request, response),
      logger: facts.logger,
    } as RouteContext<'none', unknown, unknown, unknown>;
    try {
      await sendResult(response, await route.handler(context as never));
    } finally {
      if (readsLater && !request.complete) discardRest(request);
    }
  };
}

/** What was read of a request before it was refused. */
interface Seen {
  body: unknown;
}

async function requirePrincipal(request: Request, authenticate: Authenticate): Promise<Principal> {
  const header = request.headers.authorization ?? '';
  const match = /^Bearer +([^\s]{1,4096})$/i.exec(header);
  const principal = match?.[1] === undefined ? undefined : await authenticate(match[1]);
  if (principal === undefined) throw new AppError('unauthenticated');
  return principal;
}

function requirePermissions(route: Route, principal: Principal): void {
  const missing = route.permissions?.find((permission) => !principal.permissions.has(permission));
  if (missing === undefined) return;
  throw new AppError('permission_denied', {
    message: `Your role does not include the permission "${missing}".`,
    detail: { permission: missing },
  });
}

function readParams(validate: Validate, request: Request): unknown {
  try {
    return validate({ ...request.params });
  } catch (error) {
    throw new AppError('not_found', { cause: error });
  }
}

function followClient(request: Request, response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('client disconnected'));
  });
  if (request.destroyed && !request.complete) controller.abort(new Error('client disconnected'));
  return controller.signal;
}

async function sendResult(response: Response, result: RouteResult): Promise<void> {
  if ('stream' in result) {
    await result.stream(response);
    return;
  }
  response.status(result.status);
  for (const [name, value] of Object.entries(result.headers ?? {})) response.setHeader(name, value);
  if (result.body === undefined) response.end();
  else response.json(result.body);
}
