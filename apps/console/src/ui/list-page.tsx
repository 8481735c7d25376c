import type { ReactNode } from 'react';
import { Page } from './page.tsx';
import { PagedTable, type PagedTableProps } from './paged.tsx';

interface Props<Row> extends PagedTableProps<Row> {
  /** Content next to the heading. */
  readonly actions?: ReactNode;
  /** Filters shown above the list. */
  readonly children?: ReactNode;
}

/** A screen with one list and its title. */
export function ListPage<Row extends { readonly id: string }>({ actions, children, ...list }: Props<Row>) {
  return (
    <Page title={list.name} actions={actions}>
      {children}
      <PagedTable {...list} />
    </Page>
  );
}
