/** A column with values sealed by the secret box, which have to be sealed again when its key changes. */
export interface SealedColumn {
  /** Table name with its schema. */
  readonly table: string;
  readonly column: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** Columns that `describeContext` needs besides the key. */
  readonly needs?: readonly string[];
  /** Derives the context that the value was sealed with from the row's key as a string. */
  readonly describeContext: (row: Readonly<Record<string, string>>) => string;
  /** Selects the key among those derived from SECRET_KEY. */
  readonly purpose: string;
}
