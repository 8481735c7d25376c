import type { CallHistory } from '../../history/call-history.ts';
import type { PolicyAction } from '../../document/rules/policy-document.ts';
import type { ToolName } from './read-tool-name.ts';

/** A call to be decided: the facts that the service has about it and its caller. Unknown facts are undefined. */
export interface ToolCallFacts {
  readonly tool: ToolName;
  /**
   * Other possible meanings of the name that the client sent: if a rule for one of them is stricter, it decides
   * (POL-27).
   */
  readonly otherReadings?: readonly ToolName[];
  /** The arguments as JSON, as sent by the caller. */
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
  /** Earlier allowed calls of the session or, without a session, of the caller; undefined is treated as no calls. */
  readonly history?: CallHistory;
}

/** The rule that decided. */
export interface DecidingRule {
  /** Version of the policy. */
  readonly version: number;
  readonly id: string;
  readonly description: string;
}

export interface Decision {
  readonly decision: PolicyAction;
  /** The rule that decided; null if a default decided. */
  readonly rule: DecidingRule | null;
  /** Reason for the decision; never empty, even for a default. */
  readonly ruleDescription: string;
  /** Condition of the rule, which was true or was treated as true; null if there is none. */
  readonly conditionMatched: string | null;
  /** Error of a condition that failed and was therefore treated as true. */
  readonly conditionError: string | null;
  readonly policyVersion: number;
  /** Name of the approval workflow, for `require_approval`; null for the account's default and for other decisions. */
  readonly workflow: string | null;
  readonly humanOnly: boolean;
}

/** Result of one rule for a call. */
export interface RuleTrace {
  readonly id: string;
  readonly description: string;
  readonly matched: boolean;
  /** Result of the condition; null if it was not evaluated or failed. */
  readonly conditionValue: boolean | null;
  readonly error: string | null;
}
