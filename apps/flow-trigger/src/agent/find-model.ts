import { RunFailure } from '../run/run-failure.ts';

/** Data for calling the model of a flow. */
export interface ModelAccess {
  /** Name of the model in the flow; `default` if the flow names none. */
  readonly alias: string;
  /** Base URL without a trailing slash; `/chat/completions` is appended. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Name of the model if the flow names none. */
const DEFAULT_MODEL = 'default';

/**
 * Returns the data for calling the model of a flow. Every model is called through the model gateway, with the token of
 * the run: the gateway finds the model by name, charges the budgets that apply, and records the call.
 * @param apiUrl - base URL of the gateway
 * @throws RunFailure `model_error`
 */
export function findModel(apiUrl: string | undefined, named: string | null, token: string): ModelAccess {
  const alias = named ?? DEFAULT_MODEL;
  if (apiUrl === undefined) {
    const message = `The model "${alias}" cannot be called: FLOW_AGENT_API_URL is not set to the address of the model gateway.`;
    throw new RunFailure('model_error', message);
  }
  return { alias, baseUrl: `${apiUrl.replace(/\/+$/, '')}/openai/v1`, apiKey: token };
}
