import { IncomingMessage, ServerResponse, type RequestListener, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/** Classes from which a server creates requests and responses. */
type MessageClasses = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

/** A request listener. It is faster if the server creates requests and responses from the classes in `messages`. */
export interface HttpApp extends RequestListener {
  readonly messages?: MessageClasses;
}

/**
 * Returns classes whose instances have the prototypes of Express from the beginning; otherwise Express changes the
 * prototype of each request and response, and this change causes a quarter of the cost of Express per request.
 */
export function createMessageClasses(app: Express): MessageClasses {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request) as Express['request'];
  app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response) as Express['response'];
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse } as MessageClasses;
}
