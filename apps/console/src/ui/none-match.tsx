import { Link } from '@tanstack/react-router';
import type { ListParams } from './next-page.tsx';

/** Address parameters that are not filters of the list. */
const NO_FILTERS: readonly string[] = ['cursor', 'peek', 'range'];

/** Returns whether the address of a list contains filters. */
export const isFiltered = (params: ListParams): boolean =>
  Object.entries(params).some(([name, value]) => value !== undefined && !NO_FILTERS.includes(name));

/** Message for a list whose filters exclude all rows, with a link that shows the whole list. */
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
