import type { CallHistory } from '../../history/call-history.ts';
import type { PolicyAction } from '../../document/rules/policy-document.ts';
import type { ToolName } from './read-tool-name.ts';

/** A call to decide on: what the service knows of it and of its caller. What is not known is null. */
export interface ToolCallFacts {
  readonly tool: ToolName;
  /** What else the name may mean, where a client wrote it: a rule that is stricter with one of them decides (POL-27). */
  readonly otherReadings?: readonly ToolName[];
  /** JSON, as the caller sent it. */
  readonly args: unknown;
  readonly agent?: {
    readonly id: string;
    readonly kind: string;
    readonly name: string;
    readonly tags: readonly string[];
  };
  readonly apiKey?: { readonly id: string; readonly name: string };
  readonly session?: { readonly id: string; readonly sourceType: string };
  readonly user?: { readonly id: string; readonly username: string };
  readonly execution?: { readonly id: string; readonly flowId: string; readonly flowName?: string };
  readonly now: Date;
  /** Calls that were let through before, of the session or the caller; none where they are not known. */
  readonly history?: CallHistory;
}

/** A rule that decided. */
export interface DecidingRule {
  /** Of the document. */
  readonly version: number;
  readonly id: string;
  readonly description: string;
}

export interface Decision {
  readonly decision: PolicyAction;
  /** Null where a default decided. */
  readonly rule: DecidingRule | null;
  /** In words, of a default too: never empty. */
  readonly ruleDescription: string;
  /** Text of the condition that held, null without one. */
  readonly conditionMatched: string | null;
  /** What went wrong in a condition that counted as matched all the same. */
  readonly conditionError: string | null;
  readonly policyVersion: number;
  /** Name of the approval workflow, of `require_approval`; null: the account's default one. */
  readonly workflow: string | null;
  readonly humanOnly: boolean;
}

/** What one rule said to a call. */
export interface RuleTrace {
  readonly id: string;
  readonly description: string;
  readonly matched: boolean;
  /** Null where it was not evaluated or failed. */
  readonly conditionValue: boolean | null;
  readonly error: string | null;
}
