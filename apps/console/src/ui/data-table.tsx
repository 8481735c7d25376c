import { useRef, type ReactNode } from 'react';
import styles from './data-table.module.css';
import { useRowKeys } from './use-row-keys.ts';

export interface Column<Row> {
  readonly name: string;
  readonly show: (row: Row) => ReactNode;
  /** Whether the column contains sentences. */
  readonly isWide?: boolean;
}

interface Props<Row> {
  /** Description of the list, for screen readers. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Whether the rows are still those of the previous query, because the current query has not returned yet. */
  readonly isOld?: boolean;
}

/** One page of a list. The service sorts and pages; in a narrow window the table scrolls, not the page. */
export function DataTable<Row>({ name, columns, rows, keyOf, isOld = false }: Props<Row>) {
  const place = useRef<HTMLDivElement>(null);
  useRowKeys(place);
  return (
    // A scrollable element has to be reachable by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={place} className={styles['frame']} role="region" aria-label={name} tabIndex={0}>
      <table className={isOld ? styles['old'] : styles['table']} aria-label={name} aria-busy={isOld}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col">
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.name} className={column.isWide === true ? styles['wide'] : undefined}>
                  {column.show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
