import type { PolicyDocument } from '../document/rules/policy-document.ts';
import type { DocumentFormat } from '../schema.ts';

export interface PolicyVersion {
  readonly version: number;
  readonly format: DocumentFormat;
  readonly message: string | null;
  /** The version whose document this one repeats; null for a document that was applied directly. */
  readonly rolledBackTo: number | null;
  readonly rules: number;
  /** Author of the version; null for the default document, which nobody applied. */
  readonly createdBy: string | null;
  readonly createdAt: Date | null;
}

/** A version with its document: the source text as applied, and its content. */
export interface FullPolicyVersion extends PolicyVersion {
  readonly text: string;
  readonly document: PolicyDocument;
}
