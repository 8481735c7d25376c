import { RunFailure } from '../run/run-failure.ts';

/** How the model of a flow is called. */
export interface ModelAccess {
  /** As the flow names it. */
  readonly alias: string;
  /** Without a slash at its end; `/chat/completions` is added. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Answers a flow that names no model. */
const DEFAULT_MODEL = 'default';

/**
 * Every model of a flow is called through the model gateway, with the token of the run: there it is found by its name, paid from the
 * flow's budgets, and recorded.
 *
 * @param apiUrl - where the gateway is reached
 * @throws RunFailure `model_error`
 */
export function findModel(apiUrl: string | undefined, named: string | null, token: string): ModelAccess {
  const alias = named ?? DEFAULT_MODEL;
  if (apiUrl === undefined) {
    const message = `The model "${alias}" cannot be called: FLOW_AGENT_API_URL does not say where the model gateway is.`;
    throw new RunFailure('model_error', message);
  }
  return { alias, baseUrl: `${apiUrl.replace(/\/+$/, '')}/openai/v1`, apiKey: token };
}
