/** `agent_config` of a flow with the built-in agent, as the gateway checked it. */
export interface AgentSettings {
  readonly maxSteps: number;
  /** Input and output of all calls together. */
  readonly maxTokens: number;
  readonly systemPrompt: string | undefined;
  readonly temperature: number | undefined;
  /** Variables of the programs its shell tool starts. */
  readonly env: Readonly<Record<string, string>>;
}

const DEFAULT_STEPS = 50;
const DEFAULT_TOKENS = 1_000_000;

export function readAgentSettings(config: Readonly<Record<string, unknown>>): AgentSettings {
  const { max_steps: steps, max_tokens: tokens, system_prompt: systemPrompt, temperature, env } = config;
  return {
    maxSteps: typeof steps === 'number' ? steps : DEFAULT_STEPS,
    maxTokens: typeof tokens === 'number' ? tokens : DEFAULT_TOKENS,
    systemPrompt: typeof systemPrompt === 'string' ? systemPrompt : undefined,
    temperature: typeof temperature === 'number' ? temperature : undefined,
    env: (env ?? {}) as Readonly<Record<string, string>>,
  };
}
