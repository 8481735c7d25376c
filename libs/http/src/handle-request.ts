import type { IncomingMessage, ServerResponse } from 'node:http';
import { Type } from '@sinclair/typebox';
import { AppError, refusePermission, type Principal } from '@steward/contracts';
import type { Logger } from '@steward/process';
import { toStorableJson } from '@steward/text';
import { createBuildAudit } from './audit-fact.ts';
import type { RefusedContext, Route, RouteResult } from './define-route.ts';
import { readBearer, type Door } from './door.ts';
import { toClientError } from './error-answer.ts';
import { followClient } from './follow-client.ts';
import type { HttpRequest } from './http-request.ts';
import type { Authenticate } from './authenticate.ts';
import { discardRest, parseBody, readBodyParts, readRawBody, refuseDeclaredSize } from './read-body.ts';
import { listBudgetHeaders, requireGranted, type BudgetState, type SpendRequest } from './request-budget.ts';
import { sendBytes, sendHtml, sendJson, sendSource, setBaseHeaders } from './send-answer.ts';
import { compileBodyValidation, compileTextValidation, type Validate } from './validation.ts';

/** Facts of one request for its log line; filled while it is handled. */
export interface RequestFacts {
  readonly requestId: string;
  /** The request's own span in its trace: everything that it causes continues it (API-18). */
  readonly traceparent: string;
  /** With the request ids bound. */
  readonly logger: Logger;
  principal?: Principal;
  /** Headers about the caller's budget, sent with every response; name, value, name, value. */
  budgetHeaders?: readonly string[];
  error?: AppError;
}

export type RequestHandler = (request: HttpRequest, response: ServerResponse, facts: RequestFacts) => Promise<void>;

const EMPTY = Buffer.alloc(0);
const NO_QUERY = Type.Object({}, { additionalProperties: false });

/** Covers the work from parsing a body to the end of the response. */
export type WorkOnBody = <T>(sizeBytes: number, accountId: string, work: () => Promise<T>) => Promise<T>;

/** Checks that every request passes, on every surface. */
export interface RequestGate {
  readonly authenticate: Authenticate;
  /** Called for every authenticated request; without it there is no budget. */
  readonly spendRequest?: SpendRequest;
  /** Schedules the work on a body after it was read; without it the work runs at once. Not called for a raw body. */
  readonly workOnBody?: WorkOnBody;
}

type BoundDoor = Pick<Door, 'readCredential' | 'auditSource' | 'isForeign'>;

/**
 * Binds one route. Order of checks (API-5): credential, budget, kill switch, permission, path, size, query, media type,
 * JSON, body. A path parameter of the wrong form is an id that does not exist: 404, as for an id of another account.
 */
export function bindRoute(route: Route, door: BoundDoor, gate: RequestGate): RequestHandler {
  const { readCredential = readBearer, auditSource: source } = door;
  const { authenticate, spendRequest } = gate;
  const workOnBody = route.bodyKind === 'raw' ? undefined : gate.workOnBody;
  const validateParams = route.params === undefined ? undefined : compileTextValidation(route.params);
  const ignoresQuery = door.isForeign === true || route.ignoresQuery === true;
  const query = route.query ?? (ignoresQuery ? undefined : NO_QUERY);
  const validateQuery = query === undefined ? undefined : compileTextValidation(query);
  const validateBody = route.body === undefined ? undefined : compileBodyValidation(route.body);
  const readsLater = route.bodyKind === 'json-later' || route.bodyKind === 'stream';
  const parsesBody = route.body !== undefined && !readsLater;
  const readsBody = parsesBody || route.bodyKind === 'raw';
  const declared = route.audit;

  /** Runs the checks that need no body. */
  async function admitRequest(request: HttpRequest, principal: Principal | undefined, budget: BudgetState | undefined) {
    if (budget !== undefined) requireGranted(budget);
    if (principal !== undefined) requireAllowed(route, principal);
    const params = validateParams === undefined ? {} : readParams(validateParams, request.params);
    if (readsLater) refuseDeclaredSize(route, request.message);
    return { params, rawBody: readsBody ? await readRawBody(route, request.message) : EMPTY };
  }

  return async (request, response, facts) => {
    const { requestId, traceparent } = facts;
    const { message } = request;
    const principal = needsPrincipal(route, message)
      ? await requirePrincipal(readCredential(message), authenticate)
      : undefined;
    if (principal !== undefined) facts.principal = principal;
    const budget = principal === undefined ? undefined : spendRequest?.(principal.accountId);
    if (budget !== undefined) facts.budgetHeaders = listBudgetHeaders(budget);
    const audit = declared === undefined ? undefined : createBuildAudit({ declared, source, requestId, principal });
    let seenBody: unknown;
    const refuse = async (error: unknown): Promise<never> => {
      if (principal !== undefined) {
        const refused = { error: toClientError(error), requestId, body: seenBody, audit };
        await route.onRefused?.(refused as RefusedContext);
      }
      throw error;
    };
    const { params, rawBody } = await admitRequest(request, principal, budget).catch(refuse);
    const work = async (): Promise<void> => {
      let parts: { query: unknown; body: unknown };
      try {
        // Characters that no text column can hold (NUL, lone surrogates) are replaced here, for nearly every route.
        const query = validateQuery === undefined ? {} : validateQuery(toStorableJson({ ...request.query }));
        const parsed = parsesBody ? parseBody(route, message, rawBody) : undefined;
        seenBody = route.bodyAsSent === true ? parsed : toStorableJson(parsed);
        parts = { query, body: validateBody === undefined ? seenBody : validateBody(seenBody) };
      } catch (error) {
        return refuse(error);
      }
      const context = {
        ...parts,
        params,
        search: readSearch(message.url ?? ''),
        rawBody,
        principal,
        requestId,
        traceparent,
        readBody: () => readRawBody(route, message),
        readParts: () => readBodyParts(route, message),
        headers: message.headers,
        remoteAddress: request.remoteAddress,
        signal: followClient(message, response),
        logger: facts.logger,
        audit,
      };
      try {
        await sendResult(response, await route.handler(context as never), facts);
      } finally {
        if (readsLater && !message.complete) discardRest(message);
      }
    };
    await (principal === undefined || workOnBody === undefined
      ? work()
      : workOnBody(rawBody.length, principal.accountId, work));
  };
}

function needsPrincipal({ auth }: Route, message: IncomingMessage): boolean {
  return auth !== 'none' && (auth !== 'optional' || message.headers.authorization !== undefined);
}

async function requirePrincipal(credential: string | undefined, authenticate: Authenticate): Promise<Principal> {
  const principal = credential === undefined ? undefined : await authenticate(credential);
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

/** Routes are closed by default to credentials that act for something other than a person (ACC-45). */
function requireOpen({ openTo, closedCode, permissions = [] }: Route, { restrictedKind: kind }: Principal): void {
  if (kind === undefined || openTo?.includes(kind) === true) return;
  if (kind === 'discovery_key') throw new AppError('api_key_scope_denied');
  if (closedCode !== undefined) throw new AppError(closedCode);
  const [permission] = permissions;
  const detail = { ...(permission === undefined ? {} : { permission }), lacked_by: 'credential' };
  throw new AppError('permission_denied', { message: 'A credential that acts as an agent may not do this.', detail });
}

function readSearch(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark);
}

function readParams(validate: Validate, params: Readonly<Record<string, string>>): unknown {
  // No stored name contains a NUL, and the database fails a statement with one.
  if (Object.values(params).some((value) => value.includes('\u0000'))) throw new AppError('not_found');
  try {
    return validate({ ...params });
  } catch (error) {
    throw new AppError('not_found', { cause: error });
  }
}

async function sendResult(response: ServerResponse, result: RouteResult, facts: RequestFacts): Promise<void> {
  if ('stream' in result) {
    setBaseHeaders(response, facts);
    return result.stream(response);
  }
  if ('source' in result) return sendSource(response, result, facts);
  if ('bytes' in result) return sendBytes(response, result, facts);
  if ('html' in result) return sendHtml(response, result, facts);
  sendJson(response, result, facts);
}
