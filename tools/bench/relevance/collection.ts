import type { SourceKind } from '@steward/contracts';

/** Texts with questions and relevance judgements by people. */
export interface Collection {
  readonly name: string;
  readonly documents: readonly JudgedDocument[];
  readonly queries: readonly JudgedQuery[];
}

/** Document of a collection, stored as one session. */
export interface JudgedDocument {
  readonly id: string;
  readonly parts: readonly DocumentPart[];
}

export interface DocumentPart {
  readonly sourceKind: SourceKind;
  readonly role: string | null;
  readonly text: string;
}

export interface JudgedQuery {
  readonly text: string;
  readonly queryClass: string;
  /**
   * Gain by document id; documents that are not listed are not relevant. Empty for a query without a relevant document.
   */
  readonly gains: ReadonlyMap<string, number>;
  /** Documents that contain a word excluded by the query. */
  readonly excluded: ReadonlySet<string>;
}
