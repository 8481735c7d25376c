import { maskCredentials } from '@steward/masking';
import { AI_DECISIONS, type AiDecision, type AiVerdict } from '@steward/approvals';
import { toStorableText } from '@steward/text';

const MAX_REASON = 1_000;

/** Reads the decision in the response of a model; returns undefined if the response does not have the required form. */
export function readVerdict(answer: string): AiVerdict | undefined {
  const json = /^\s*(?:```(?:json)?\s*)?(\{[\s\S]*\})\s*(?:```)?\s*$/.exec(answer)?.[1];
  if (json === undefined) return undefined;
  const value = parse(json);
  if (typeof value !== 'object' || value === null) return undefined;
  const { decision, confidence, reason } = value as Readonly<Record<string, unknown>>;
  if (!isDecision(decision) || !isShare(confidence) || typeof reason !== 'string' || reason.trim() === '')
    return undefined;
  return { decision, confidence, reason: toStorableText(maskCredentials(reason)).slice(0, MAX_REASON) };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isDecision(value: unknown): value is AiDecision {
  return AI_DECISIONS.some((decision) => decision === value);
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
