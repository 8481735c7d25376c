/** A column with values encrypted by the secret box, which have to be re-encrypted when the key changes. */
export interface SealedColumn {
  /** Table name with its schema. */
  readonly table: string;
  readonly column: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** Columns that `describeContext` needs in addition to the key. */
  readonly needs?: readonly string[];
  /**
   * Returns the encryption context of a value. `row` contains the primary key and the columns in `needs`, as strings.
   */
  readonly describeContext: (row: Readonly<Record<string, string>>) => string;
  /** Purpose that selects one of the keys derived from SECRET_KEY. */
  readonly purpose: string;
}
