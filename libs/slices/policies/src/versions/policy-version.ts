import type { PolicyDocument } from '../document/rules/policy-document.ts';
import type { DocumentFormat } from '../schema.ts';

export interface PolicyVersion {
  readonly version: number;
  readonly format: DocumentFormat;
  readonly message: string | null;
  /** The version whose content it has again; null of one that was applied. */
  readonly rolledBackTo: number | null;
  readonly rules: number;
  /** Null of the default document, which nobody applied. */
  readonly createdBy: string | null;
  readonly createdAt: Date | null;
}

/** With the document: as it was applied, and what it says. */
export interface FullPolicyVersion extends PolicyVersion {
  readonly text: string;
  readonly document: PolicyDocument;
}
