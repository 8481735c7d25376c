import { RunFailure } from '../run/run-failure.ts';
import { DEFAULT_MODEL, type ModelAccess } from './model-directory.ts';

export interface ModelPlaces {
  /** What the deployment set up beside the gateway, by alias. */
  readonly models: ReadonlyMap<string, ModelAccess>;
  /** Where the gateway is reached. */
  readonly apiUrl: string | undefined;
}

/**
 * How the model of a flow is called: one the deployment set up itself is called directly, every other through the model gateway, with
 * the token of the run: there it is found by its name, paid from the flow's budgets, and recorded.
 * @throws RunFailure `model_error`
 */
export function findModel({ models, apiUrl }: ModelPlaces, named: string | null, token: string): ModelAccess {
  const alias = named ?? DEFAULT_MODEL;
  const own = models.get(alias);
  if (own !== undefined) return own;
  if (apiUrl === undefined) {
    const message = `The model "${alias}" is not set up on this deployment: it is not in FLOW_MODELS, and FLOW_AGENT_API_URL does not say where the model gateway is.`;
    throw new RunFailure('model_error', message);
  }
  const baseUrl = `${apiUrl.replace(/\/+$/, '')}/openai/v1`;
  return { alias, baseUrl, apiKey: token, model: alias, provider: 'gateway', isRecorded: true };
}
