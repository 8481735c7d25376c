import type { Request, Response } from 'express';
import type { Handler } from './request-facts.ts';

/** A step that every request passes; it throws an error to refuse the request. */
export type Check = (request: Request, response: Response) => void;

/**
 * Returns one handler that runs the checks in the given order: calling a handler costs Express more time than a check
 * takes.
 */
export function runChecks(...checks: readonly Check[]): Handler {
  return (request, response, next) => {
    for (const check of checks) check(request, response);
    next();
  };
}
