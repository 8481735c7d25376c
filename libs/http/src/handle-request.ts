import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, toStorableJson, type Logger } from '@steward/runtime';
import type { Route, RouteResult } from './define-route.ts';
import { toClientError } from './error-answer.ts';
import type { HttpRequest } from './http-request.ts';
import type { Authenticate, Principal } from './principal.ts';
import { discardRest, parseBody, readRawBody, refuseDeclaredSize } from './read-body.ts';
import { LazyRouteContext } from './route-context.ts';
import { sendJson, setBaseHeaders } from './send-answer.ts';
import { compileBodyValidation, compileTextValidation, type Validate } from './validation.ts';

/** What one request tells its log line; filled while it is handled. */
export interface RequestFacts {
  readonly requestId: string;
  /** With the id bound; made for who asks. */
  readonly logger: () => Logger;
  principal?: Principal;
  error?: AppError;
}

export type RequestHandler = (request: HttpRequest, response: ServerResponse, facts: RequestFacts) => Promise<void>;

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

  async function readRequest(request: HttpRequest, principal: Principal | undefined, seen: Seen) {
    const { message } = request;
    if (principal !== undefined) requirePermissions(route, principal);
    const params = validateParams === undefined ? {} : readParams(validateParams, request.params);
    if (readsLater) refuseDeclaredSize(route, message);
    const rawBody = readsBody ? await readRawBody(route, message) : EMPTY;
    // What no text column can hold (NUL, lone surrogates) is replaced here once, for every route.
    const query = validateQuery === undefined ? {} : validateQuery(toStorableJson({ ...request.readQuery() }));
    seen.body = readsBody ? toStorableJson(parseBody(route, message, rawBody)) : undefined;
    const body = validateBody === undefined ? seen.body : validateBody(seen.body);
    return { params, query, body, rawBody };
  }

  return async (request, response, facts) => {
    const { requestId } = facts;
    const { message } = request;
    const principal = route.auth === 'bearer' ? await requirePrincipal(message, authenticate) : undefined;
    if (principal !== undefined) facts.principal = principal;
    const seen: Seen = { body: undefined };
    const parts = await readRequest(request, principal, seen).catch(async (error: unknown) => {
      if (principal !== undefined) {
        await route.onRefused?.({ principal, error: toClientError(error), requestId, body: seen.body });
      }
      throw error;
    });
    const readBody = (): Promise<Buffer> => readRawBody(route, message);
    const context = new LazyRouteContext({ ...parts, principal, readBody }, request, response, facts);
    try {
      await sendResult(response, await route.handler(context as never), requestId);
    } finally {
      if (readsLater && !message.complete) discardRest(message);
    }
  };
}

/** What was read of a request before it was refused. */
interface Seen {
  body: unknown;
}

async function requirePrincipal(request: IncomingMessage, authenticate: Authenticate): Promise<Principal> {
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

function readParams(validate: Validate, params: Readonly<Record<string, string>>): unknown {
  try {
    return validate({ ...params });
  } catch (error) {
    throw new AppError('not_found', { cause: error });
  }
}

async function sendResult(response: ServerResponse, result: RouteResult, requestId: string): Promise<void> {
  if ('stream' in result) {
    setBaseHeaders(response, requestId);
    await result.stream(response);
    return;
  }
  sendJson(response, { status: result.status, requestId, headers: result.headers, body: result.body });
}
