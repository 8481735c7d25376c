import type { SourceKind } from '@steward/contracts';

/** Texts with questions and what a person says answers them. */
export interface Collection {
  readonly name: string;
  readonly documents: readonly JudgedDocument[];
  readonly queries: readonly JudgedQuery[];
}

/** One session. */
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
  /** Document id to gain; what is not named is not relevant. Empty for a query without an answer. */
  readonly gains: ReadonlyMap<string, number>;
  /** Those that hold a word the query excludes. */
  readonly excluded: ReadonlySet<string>;
}
