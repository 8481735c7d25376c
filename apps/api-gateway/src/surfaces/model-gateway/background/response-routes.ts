import { Type } from '@sinclair/typebox';
import { AGENT_KINDS } from '@steward/contracts';
import { defineForeignRoute, type Route } from '@steward/http';
import type { OpenRequests } from '@steward/api';
import { callAtEnd } from '../answers/call-at-end.ts';
import { requireCaller } from '../require-caller.ts';
import type { ResponseRequest } from './ask-provider.ts';
import { passResponse, type ResponseDeps } from './pass-response.ts';

export interface ResponseRouteDeps extends ResponseDeps {
  readonly openRequests: Pick<OpenRequests, 'modelCalls'>;
}

const ROUTES = [
  { method: 'get', tail: '', summary: 'Read a response that was started in the background.' },
  { method: 'delete', tail: '', summary: 'Delete a response that was started in the background.' },
  { method: 'post', tail: '/cancel', summary: 'Cancel a response that was started in the background.' },
  { method: 'get', tail: '/input_items', summary: 'Read the input of a background response.' },
] as const;

/**
 * Creates the routes for background responses, in the API of OpenAI. These routes start no model call, so they work
 * while the kill switch is engaged.
 */
export function createResponseRoutes(deps: ResponseRouteDeps): Route[] {
  return ROUTES.map(({ method, tail, summary }) =>
    defineForeignRoute({
      method,
      path: `/openai/v1/responses/{response_id}${tail}`,
      openTo: AGENT_KINDS,
      summary,
      params: Type.Object({ response_id: Type.String({ minLength: 1, maxLength: 255 }) }),
      ignoresQuery: true,
      responses: {},
      handler: async ({ principal, params, headers, search, signal }) => {
        requireCaller(principal);
        const leave = deps.openRequests.modelCalls.enter(principal);
        try {
          const asked = method.toUpperCase() as ResponseRequest['method'];
          const request = { method: asked, responseId: params.response_id, tail, search, headers, signal };
          return callAtEnd(await passResponse(deps, { ...request, principal }), leave);
        } catch (error) {
          leave();
          throw error;
        }
      },
    }),
  );
}
