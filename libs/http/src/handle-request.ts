import type { IncomingMessage } from 'node:http';
import { Type } from '@sinclair/typebox';
import type { Request } from 'express';
import { AppError, describeKind, refusePermission, type Principal } from '@steward/contracts';
import { toStorableJson } from '@steward/text';
import { createBuildAudit } from './audit-fact.ts';
import type { RefusedContext, Route, RouteResult } from './define-route.ts';
import { readBearer, type Surface } from './surface.ts';
import { toClientError } from './error-answer.ts';
import { followClient } from './follow-client.ts';
import type { Authenticate } from './authenticate.ts';
import { discardRest, parseBody, readBodyParts, readRawBody, refuseDeclaredSize } from './read-body.ts';
import { requireGranted, setBudgetHeaders, type SpendRequest } from './request-budget.ts';
import type { ErrorHandler, Handler, RequestFacts, ServiceResponse } from './request-facts.ts';
import { sendBytes, sendHtml, sendJson, sendSource } from './send-answer.ts';
import { compileBodyValidation, compileTextValidation, type Validate } from './validation.ts';

const EMPTY = Buffer.alloc(0);
const NO_QUERY = Type.Object({}, { additionalProperties: false });

/** Runs the processing of a body: its parsing, the handler and usually the sending of the response. */
export type WorkOnBody = <T>(sizeBytes: number, accountId: string, work: () => Promise<T>) => Promise<T>;

/** Functions that the routes of all surfaces share. */
export interface RequestGate {
  readonly authenticate: Authenticate;
  /** Called for every authenticated request; if undefined, there is no budget. */
  readonly spendRequest?: SpendRequest;
  /**
   * Schedules the processing of a body that has been read; if undefined, it is processed immediately. Not called for a
   * raw body, or for a request without a caller.
   */
  readonly workOnBody?: WorkOnBody;
  /**
   * Waits until every process applies the committed changes to data about callers; called before the response confirms
   * such a change (ACC-55).
   */
  readonly awaitCallers?: () => Promise<void>;
}

type BoundSurface = Pick<Surface, 'readCredential' | 'auditSource' | 'isForeign' | 'answerError'> & {
  /** Registered path: the route's own path or an alias. */
  readonly path: string;
};

/**
 * Returns the handlers of one route. Order of checks (API-5): credential, budget, kill switch, permission, path, size,
 * query, media type, JSON, body.
 */
export function bindRoute(route: Route, surface: BoundSurface, gate: RequestGate): (Handler | ErrorHandler)[] {
  const readsBody = (route.body !== undefined && !readsLater(route)) || route.bodyKind === 'raw';
  return [
    admitCaller(route, surface, gate),
    ...(readsBody ? [readBody(route)] : []),
    callHandler(route, surface, gate),
    ...(route.onRefused === undefined ? [] : [tellRefused(route)]),
  ];
}

/**
 * Returns a handler that checks credential, budget, kill switch, permission, path, and the declared size of a body that
 * is read later.
 */
function admitCaller(
  route: Route,
  { readCredential = readBearer, auditSource: source, path, answerError }: BoundSurface,
  gate: RequestGate,
): Handler {
  const { authenticate, spendRequest } = gate;
  const validateParams = route.params === undefined ? undefined : compileTextValidation(route.params);
  const declared = route.audit;
  const reuse = { mayReuse: route.reusesCaller };

  function admit(principal: Principal | undefined, request: Request, response: ServiceResponse): void {
    const facts = response.locals;
    const { requestId } = facts;
    if (principal !== undefined) facts.principal = principal;
    const budget = principal === undefined ? undefined : spendRequest?.(principal);
    if (budget !== undefined) setBudgetHeaders(response, budget);
    if (declared !== undefined) facts.buildAudit = createBuildAudit({ declared, source, requestId, principal });
    if (budget !== undefined) requireGranted(budget);
    if (principal !== undefined) requireAllowed(route, principal);
    facts.params = validateParams === undefined ? {} : readParams(validateParams, request.params);
    if (readsLater(route)) refuseDeclaredSize(route, request);
  }

  return (request, response, next) => {
    const facts = response.locals;
    facts.routePath = path;
    facts.answerError = answerError;
    if (!needsPrincipal(route, request)) {
      admit(undefined, request, response);
      return next();
    }
    const credential = readCredential(request);
    const found = credential === undefined ? undefined : authenticate(credential, reuse);
    const go = (principal: Principal | undefined): void => {
      admit(requirePrincipal(principal), request, response);
      next();
    };
    return found instanceof Promise ? found.then(go) : go(found);
  };
}

/**
 * Returns a handler that reads the body. The reader of Express does not support zstd, and rejects a body that is too
 * large only after it has been received completely (LIM-13).
 */
function readBody(route: Route): Handler {
  return async (request, response, next) => {
    response.locals.rawBody = await readRawBody(route, request);
    next();
  };
}

/**
 * Returns a handler that waits for a slot if the body is large, then validates query, media type, JSON and body, then
 * runs the route's handler and sends the response.
 */
function callHandler(route: Route, surface: BoundSurface, gate: RequestGate): Handler {
  const workOnBody = route.bodyKind === 'raw' ? undefined : gate.workOnBody;
  const awaitCallers = mayChangeCallers(route) ? gate.awaitCallers : undefined;
  const ignoresQuery = surface.isForeign === true || route.ignoresQuery === true;
  const query = route.query ?? (ignoresQuery ? undefined : NO_QUERY);
  const validateQuery = query === undefined ? undefined : compileTextValidation(query);
  const validateBody = route.body === undefined ? undefined : compileBodyValidation(route.body);
  const parsesBody = route.body !== undefined && !readsLater(route);

  function readInput(request: Request, facts: RequestFacts, rawBody: Buffer) {
    // Characters that no text column can store (NUL, lone surrogates) are replaced here, once for nearly all routes.
    const query = validateQuery === undefined ? {} : validateQuery(toStorableJson({ ...request.query }));
    const parsed = parsesBody ? parseBody(route, request, rawBody) : undefined;
    facts.seenBody = route.bodyAsSent === true ? parsed : toStorableJson(parsed);
    return { query, body: validateBody === undefined ? facts.seenBody : validateBody(facts.seenBody) };
  }

  return (request, response) => {
    const facts = response.locals;
    const { principal, requestId, traceparent, logger, params, rawBody = EMPTY, buildAudit: audit } = facts;
    const work = async (): Promise<RouteResult> => {
      const { query, body } = readInput(request, facts, rawBody);
      const context = {
        query,
        body,
        params,
        search: readSearch(request.url),
        rawBody,
        principal,
        requestId,
        traceparent,
        readBody: () => readRawBody(route, request),
        readParts: () => readBodyParts(route, request),
        headers: request.headers,
        remoteAddress: request.ip ?? '',
        signal: followClient(request, response),
        logger,
        audit,
      };
      facts.isHandled = true;
      try {
        const result = await route.handler(context as never);
        // The slot must not be occupied while `awaitCallers` waits, since other bodies need the slot.
        if (awaitCallers !== undefined) return result;
        const sending = sendResult(response, result);
        // A stream may be open for an hour. If the route has read its body itself, the stream occupies no slot, so
        // nothing waits for its end, and the objects that handled the request are freed.
        if ('source' in result && readsLater(route) && request.complete) request.next = undefined;
        else await sending;
        return result;
      } finally {
        if (readsLater(route) && !request.complete) discardRest(request);
      }
    };
    const worked =
      principal === undefined || workOnBody === undefined
        ? work()
        : workOnBody(rawBody.length, principal.accountId, work);
    return awaitCallers === undefined ? worked : worked.then((result) => sendAfter(awaitCallers(), response, result));
  };
}

async function sendAfter(wait: Promise<void>, response: ServiceResponse, result: RouteResult): Promise<void> {
  await wait;
  await sendResult(response, result);
}

/** Returns a handler that notifies the route if an authenticated caller was refused before the route's handler ran. */
function tellRefused(route: Route): ErrorHandler {
  return async (error: unknown, _request, response, next) => {
    const { principal, requestId, seenBody, buildAudit: audit, isHandled } = response.locals;
    if (principal !== undefined && isHandled !== true) {
      const refused = { error: toClientError(error), requestId, body: seenBody, audit };
      await route.onRefused?.(refused as RefusedContext);
    }
    next(error);
  };
}

function readsLater({ bodyKind }: Route): boolean {
  return bodyKind === 'json-later' || bodyKind === 'stream';
}

/**
 * Returns whether the route may change the data that authentication reads about callers, such as permissions, keys,
 * models, budgets and policies. Routes that are open to credentials that do not act for a person never change this data
 * (ACC-45).
 */
export function mayChangeCallers({ method, openTo, leavesCallers }: Route): boolean {
  return method !== 'get' && openTo === undefined && leavesCallers !== true;
}

function needsPrincipal({ auth }: Route, message: IncomingMessage): boolean {
  return auth !== 'none' && (auth !== 'optional' || message.headers.authorization !== undefined);
}

function requirePrincipal(principal: Principal | undefined): Principal {
  if (principal === undefined) throw new AppError('unauthenticated');
  if (principal.isSuspended === true) throw new AppError('agent_suspended');
  return principal;
}

function requireAllowed(route: Route, principal: Principal): void {
  if (route.isAct === true && principal.isHalted === true) {
    route.onHalted?.(principal);
    throw new AppError('kill_switch_engaged');
  }
  requireOpen(route, principal);
  const missing = route.permissions?.find((permission) => !principal.permissions.has(permission));
  if (missing !== undefined) throw refusePermission(principal, missing);
}

/** Refuses a credential that does not act for a person, unless the route is open to its kind (ACC-45). */
function requireOpen({ openTo, closedCode, permissions = [] }: Route, { restrictedKind: kind }: Principal): void {
  if (kind === undefined || openTo?.includes(kind) === true) return;
  if (kind === 'discovery_key') throw new AppError('api_key_scope_denied');
  if (closedCode !== undefined) throw new AppError(closedCode);
  const [permission] = permissions;
  const detail = { ...(permission === undefined ? {} : { permission }), lacked_by: 'credential' };
  throw new AppError('permission_denied', { message: `${describeKind(kind)} may not do this.`, detail });
}

function readSearch(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark);
}

/**
 * Returns the path parameters. A parameter with an invalid format is treated as an id that does not exist: 404, as for
 * an id of another account.
 */
function readParams(validate: Validate, params: Request['params']): unknown {
  // A parameter with a NUL is not found: no stored name contains this character, and the database rejects it.
  if (Object.values(params).some((value) => value.includes('\u0000'))) throw new AppError('not_found');
  try {
    return validate({ ...params });
  } catch (error) {
    throw new AppError('not_found', { cause: error });
  }
}

function sendResult(response: ServiceResponse, result: RouteResult): Promise<void> | void {
  if ('stream' in result) return result.stream(response);
  if ('source' in result) return sendSource(response, result);
  if ('bytes' in result) return sendBytes(response, result);
  if ('html' in result) return sendHtml(response, result);
  sendJson(response, result);
}
