import type { ReactNode } from 'react';
import { DataTable, type Column } from './data-table.tsx';
import { Loaded } from './loaded.tsx';
import { NextPage, type ListParams } from './next-page.tsx';

interface ListQuery<Row> {
  readonly data: { readonly items: readonly Row[]; readonly next_cursor: string | null } | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
  readonly isPlaceholderData: boolean;
}

interface PagedProps<Row> {
  /** Name of the items, shown while they are loading. */
  readonly what: string;
  readonly query: ListQuery<Row>;
  /** Additional address parameters of the next page; default: those of the current address. */
  readonly params?: ListParams;
  readonly children: (items: readonly Row[]) => ReactNode;
}

/** One page of a list in any form, and the link to the next page. */
export function Paged<Row>({ what, query, params, children }: PagedProps<Row>) {
  return (
    <Loaded what={what} query={query}>
      {({ items, next_cursor: cursor }) => (
        <>
          {children(items)}
          <NextPage cursor={cursor} params={params} />
        </>
      )}
    </Loaded>
  );
}

export interface PagedTableProps<Row> extends Omit<PagedProps<Row>, 'children'> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  /** Content that is shown if the list is empty. */
  readonly empty: ReactNode;
  /** Returns the key of a row; needed for rows without an id. */
  readonly keyOf?: (row: Row) => string;
}

/** A list as most screens show it: a table of items, or the reason why there are none. */
export function PagedTable<Row extends { readonly id: string }>(props: PagedTableProps<Row>): ReactNode;
export function PagedTable<Row>(props: PagedTableProps<Row> & { readonly keyOf: (row: Row) => string }): ReactNode;
export function PagedTable<Row>({ name, columns, empty, keyOf = readId, ...list }: PagedTableProps<Row>) {
  const isOld = list.query.isPlaceholderData;
  return (
    <Paged {...list}>
      {(items) =>
        items.length === 0 ? (
          <p>{empty}</p>
        ) : (
          <DataTable name={name} columns={columns} rows={items} keyOf={keyOf} isOld={isOld} />
        )
      }
    </Paged>
  );
}

const readId = (row: unknown): string => (row as { readonly id: string }).id;
