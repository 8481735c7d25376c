import type { ReactNode } from 'react';
import { Page } from './page.tsx';
import { PagedTable, type PagedTableProps } from './paged.tsx';

interface Props<Row> extends PagedTableProps<Row> {
  /** Beside the heading. */
  readonly actions?: ReactNode;
  /** Above the list: what narrows it. */
  readonly children?: ReactNode;
}

/** A screen that is one list, and has its name. */
export function ListPage<Row extends { readonly id: string }>({ actions, children, ...list }: Props<Row>) {
  return (
    <Page title={list.name} actions={actions}>
      {children}
      <PagedTable {...list} />
    </Page>
  );
}
