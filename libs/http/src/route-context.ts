import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@steward/runtime';
import type { RequestFacts } from './handle-request.ts';
import type { HttpRequest } from './http-request.ts';
import type { Principal } from './principal.ts';

export interface ContextParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly rawBody: Buffer;
  readonly principal: Principal | undefined;
  readonly readBody: () => Promise<Buffer>;
}

/**
 * What a handler gets (see `RouteContext`). A class, because what few handlers ask for is made when they do, and an object
 * literal with getters is slow to make: controller, logger and address of a request cost more than the rest together.
 */
export class LazyRouteContext {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly rawBody: Buffer;
  readonly principal: Principal | undefined;
  readonly readBody: () => Promise<Buffer>;
  readonly #request: HttpRequest;
  readonly #response: ServerResponse;
  readonly #facts: RequestFacts;
  #signal: AbortSignal | undefined;

  constructor(parts: ContextParts, request: HttpRequest, response: ServerResponse, facts: RequestFacts) {
    this.params = parts.params;
    this.query = parts.query;
    this.body = parts.body;
    this.rawBody = parts.rawBody;
    this.principal = parts.principal;
    this.readBody = parts.readBody;
    this.#request = request;
    this.#response = response;
    this.#facts = facts;
  }

  get headers(): IncomingMessage['headers'] {
    return this.#request.message.headers;
  }

  get requestId(): string {
    return this.#facts.requestId;
  }

  get remoteAddress(): string {
    return this.#request.readRemoteAddress();
  }

  get logger(): Logger {
    return this.#facts.logger();
  }

  get signal(): AbortSignal {
    return (this.#signal ??= followClient(this.#request.message, this.#response));
  }
}

function followClient(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Error('client disconnected'));
  response.once('close', () => {
    if (!response.writableFinished) abort();
  });
  // It may have left before somebody asked.
  if ((response.closed && !response.writableFinished) || (request.destroyed && !request.complete)) abort();
  return controller.signal;
}
