import { Link } from '@tanstack/react-router';
import type { ListParams } from './next-page.tsx';

/** Address parameters that do not change which rows exist. */
const NO_FILTERS: readonly string[] = ['cursor', 'peek', 'range'];

/** Whether the address of a list excludes rows of it. */
export const isFiltered = (params: ListParams): boolean =>
  Object.entries(params).some(([name, value]) => value !== undefined && !NO_FILTERS.includes(name));

/** Shown instead of rows that the filters exclude: leads back to all of them. */
export function NoneMatch({ what }: { readonly what: string }) {
  return (
    <>
      No {what} match these filters.{' '}
      <Link to="." search={() => ({})}>
        Show all {what}
      </Link>
    </>
  );
}
