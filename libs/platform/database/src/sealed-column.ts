/** A column whose values the secret box sealed: what has to be sealed anew when its key is changed. */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string;
  readonly column: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** Columns that `describeContext` needs besides the key. */
  readonly needs?: readonly string[];
  /** What the value was bound to when it was sealed, from the row's key as text. */
  readonly describeContext: (row: Readonly<Record<string, string>>) => string;
  /** Names the key among those derived from SECRET_KEY. */
  readonly purpose: string;
}
